import { cpSync, existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gitIn } from '../lib/git.ts';
import { projectRoot } from '../lib/paths.ts';
import { runProgram } from '../lib/program.ts';
import { say } from '../lib/progress.ts';
import { run } from '../lib/run.ts';
import { runSuite } from '../suites/jest.ts';
import { summaryLines } from '../suites/summary.ts';
import { readEnvironment, writeEnvironment } from '../up/environment.ts';
import { previousRelease } from './previous.ts';

const lockFile = 'package-lock.json';

/**
 * `node hack/upgrade/main.ts`: installs the previous release, built from its own sources, and runs the upgrade suite, which
 * upgrades it to this checkout under load, rolls back, and upgrades again. FROM names another tag or commit. The
 * installation has this checkout's version afterwards.
 */
async function main(): Promise<void> {
  const found = await previousRelease();
  const ref = process.env.FROM || found.ref;
  say(`upgrade from ${ref}${process.env.FROM ? '' : ` (${found.why})`}`);
  const folder = await checkOut(ref);
  try {
    await bringUp(folder);
    // The suite finds the installation and its tools as any test of this checkout does.
    writeEnvironment(readEnvironment(join(folder, '.slipway', 'env')));
    const tools = join('.slipway', 'bin');
    rmSync(join(projectRoot, tools), { recursive: true, force: true });
    cpSync(join(folder, tools), join(projectRoot, tools), { recursive: true, verbatimSymlinks: true });
    const result = await runSuite('upgrade');
    for (const line of summaryLines([result])) console.log(line);
    if (result.failed > 0) process.exitCode = 1;
  } finally {
    await run('git', ['worktree', 'remove', '--force', folder], { cwd: projectRoot });
  }
}

/** A work tree of the release with its own packages; those of this checkout when they are the same. */
async function checkOut(ref: string): Promise<string> {
  const folder = join(projectRoot, '.slipway', 'previous');
  if (existsSync(folder)) await gitIn(projectRoot)('worktree', 'remove', '--force', folder);
  await run('git', ['worktree', 'add', '--force', '--detach', folder, ref], { cwd: projectRoot });
  const lockOf = (root: string) => readFileSync(join(root, lockFile), 'utf8');
  if (lockOf(folder) === lockOf(projectRoot)) {
    symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  } else {
    say('installing the packages of the release');
    await run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: folder,
    });
  }
  return folder;
}

/** The release's own `make up`, without its demo: its images carry the hash of its sources. */
async function bringUp(folder: string): Promise<void> {
  const node = join(folder, 'node_modules', '.bin', 'node');
  await run(node, ['hack/up.ts', '--no-demo'], { cwd: folder, onLine: say });
}

runProgram(main);
