import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../lib/paths.ts';

/** A copy of this checkout, in which a test may change files and run the project's own tools. */
export interface CopyOfCheckout {
  folder: string;
  read(path: string): string;
  /** Runs a script of the copy. Answers what it prints; throws Error with what it prints when it fails. */
  node(...args: string[]): string;
  /** Files of the checkout that differ in the copy, by path. */
  changed(): string[];
  remove(): void;
}

/** Copies what git tracks, or would track, and shares node_modules. */
export function copyOfCheckout(): CopyOfCheckout {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: projectRoot,
  })
    .toString()
    .split('\n')
    .filter((file) => file !== '' && file !== 'node_modules');
  const folder = mkdtempSync(join(tmpdir(), 'slipway-copy-'));
  for (const file of files) cpSync(join(projectRoot, file), join(folder, file));
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  return {
    folder,
    read,
    node(...args) {
      // With NODE_ENV=test, libraries would be built for development.
      const env = { ...process.env, NODE_ENV: undefined };
      const options = { cwd: folder, env, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
      const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
      if (status !== 0) throw new Error(`${args.join(' ')}: ${stdout}${stderr}`);
      return stdout;
    },
    changed: () => files.filter((file) => read(file) !== readFileSync(join(projectRoot, file), 'utf8')),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
