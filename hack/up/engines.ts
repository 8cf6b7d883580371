import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../lib/paths.ts';
import { run } from '../lib/run.ts';
import { ensureTools } from '../tools/ensure.ts';
import { stageProgram } from './stageProgram.ts';

/** The build context of an engine's image. */
export function engineContext(engine: string): string {
  return join(projectRoot, 'dist', 'engines', engine);
}

/**
 * Stages anvil and the launcher for Linux, for this machine's architecture, and the scripts beside them in the context of engines/evm-dev.
 * On Linux, npm has already installed anvil; on other systems, its package is downloaded.
 */
export async function stageEvmDev(): Promise<string> {
  const context = engineContext('evm-dev');
  mkdirSync(context, { recursive: true });
  const { launcher } = await ensureTools(['launcher']);
  stageProgram(await anvilBinary(context), join(context, 'anvil'));
  stageProgram(launcher, join(context, 'launcher'));
  for (const script of ['entrypoint.sh', 'alive.sh'])
    copyFileSync(join(projectRoot, 'engines', 'evm-dev', script), join(context, script));
  return context;
}

async function anvilBinary(context: string): Promise<string> {
  const packageName = anvilPackage(process.arch);
  const installed = join(projectRoot, 'node_modules', packageName, 'bin', 'anvil');
  if (existsSync(installed)) return installed;
  const fetched = join(context, '..', 'fetched');
  rmSync(fetched, { recursive: true, force: true });
  mkdirSync(fetched, { recursive: true });
  const version = anvilVersion();
  const names = await run('npm', ['pack', `${packageName}@${version}`, '--silent'], {
    cwd: fetched,
    remedy: 'check that npm can reach its registry',
  });
  await run('tar', ['-xzf', names.trim().split('\n').at(-1) ?? ''], { cwd: fetched });
  return join(fetched, 'package', 'bin', 'anvil');
}

/** The npm package with anvil for Linux on an architecture, as named by Node's `process.arch`. */
function anvilPackage(arch: string): string {
  return `@foundry-rs/anvil-linux-${arch === 'x64' ? 'amd64' : arch}`;
}

function anvilVersion(): string {
  const { devDependencies } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  return devDependencies['@foundry-rs/anvil'] ?? 'latest';
}
