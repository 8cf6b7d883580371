import { renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cachePath } from '../lib/paths.ts';
import type { Note } from '../lib/progress.ts';
import { run, tryRun, UserError } from '../lib/run.ts';
import type { CargoTool } from './catalogue.ts';

interface Target {
  name: string;
  path: string;
  note: Note;
}

/** Builds a crate's program. Compiled parts are kept until the build completes, so an interrupted build can resume. */
export async function buildCrate(tool: CargoTool, { name, path, note }: Target): Promise<void> {
  const folder = cachePath('cargo', `${tool.crate}-${tool.version}`);
  const root = join(dirname(path), '.root');
  const crate = `${tool.crate}@${tool.version.replace(/^v/, '')}`;
  await run('cargo', ['install', '--locked', '--no-track', '--root', root, '--bin', name, crate], {
    env: { CARGO_TARGET_DIR: folder },
    logFile: cachePath('logs', `build-${name}.log`),
    onLine: note,
    remedy: `check that crates.io is reachable and, ${aptLine(tool)}; then run the command again`,
  });
  renameSync(join(root, 'bin', name), path);
  rmSync(root, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
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
