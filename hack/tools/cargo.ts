import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cachePath, projectRoot } from '../lib/paths.ts';
import type { Note } from '../lib/progress.ts';
import { run, tryRun, UserError } from '../lib/run.ts';
import { type CargoTool, ownCrate } from './catalogue.ts';

interface Target {
  name: string;
  path: string;
  note: Note;
}

/** Builds a crate's program. Compiled parts are kept until the build completes, so an interrupted build can resume. */
export async function buildCrate(tool: CargoTool, target: Target): Promise<void> {
  await (tool.crate === ownCrate ? buildOwn(tool, target) : install(tool, target));
}

async function install(tool: CargoTool, target: Target): Promise<void> {
  const { name, path } = target;
  const folder = cachePath('cargo', `${tool.crate}-${tool.version}`);
  const root = join(dirname(path), '.root');
  const crate = `${tool.crate}@${tool.version.replace(/^v/, '')}`;
  const args = ['install', '--locked', '--no-track', '--root', root, '--bin', name, crate];
  await cargo(args, { tool, target, folder });
  renameSync(join(root, 'bin', name), path);
  rmSync(root, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
}

/** Keeps what was compiled, so that a change of our own part takes a minute. */
async function buildOwn(tool: CargoTool, target: Target): Promise<void> {
  const { name, path } = target;
  const folder = cachePath('cargo', name);
  const manifest = join(projectRoot, tool.family, 'Cargo.toml');
  // Some dependencies ask for a newer Rust than they need.
  const args = ['build', '--release', '--locked', '--ignore-rust-version', '--manifest-path', manifest];
  await cargo([...args, '--bin', name], { tool, target, folder });
  copyFileSync(join(folder, 'release', name), path);
}

interface CargoRun {
  tool: CargoTool;
  target: Target;
  /** Where compiled parts are kept. */
  folder: string;
}

async function cargo(args: string[], { tool, target: { name, note }, folder }: CargoRun): Promise<void> {
  await run('cargo', args, {
    env: { CARGO_TARGET_DIR: folder },
    logFile: cachePath('logs', `build-${name}.log`),
    onLine: note,
    remedy: `check that crates.io is reachable and, ${aptLine(tool)}; then run the command again`,
  });
}

/** Throws UserError with what is missing and how to install it. */
export async function requireCargo(name: string, tool: CargoTool): Promise<void> {
  const missing: string[] = [];
  for (const command of ['cargo', ...tool.commands]) {
    const { code } = await tryRun(command, ['--version']);
    if (code === 127) missing.push(command);
  }
  if (missing.length === 0) return;
  const rust = missing.includes('cargo') ? 'install Rust from https://rustup.rs; ' : '';
  throw new UserError(`Building ${name} needs ${missing.join(', ')}: ${rust}${aptLine(tool)}`);
}

function aptLine({ packages }: CargoTool): string {
  return `on Debian or Ubuntu: apt-get install ${packages.join(' ')}`;
}
