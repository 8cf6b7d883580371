import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { cachePath, projectRoot } from '../lib/paths.ts';
import { run } from '../lib/run.ts';
import { linkOrCopy } from '../nativeNode/prepare.ts';

/** What the builder runs from, and what engines are built from. */
const parts = ['core', 'hack', 'engines', 'package.json', 'package-lock.json'];
const modules = 'node_modules';

/** The folder of all kept copies. */
const keptRoot = () => cachePath('builder');

/**
 * Keeps what the builder needs of this checkout, which may change or go away while it runs, and returns the folder. It is
 * named after its content, so a checkout that has not changed has its copy already.
 */
export async function keepSources(checkout = projectRoot, root = keptRoot()): Promise<string> {
  const files = await sourcesOf(checkout);
  const folder = join(root, hashOf(checkout, files));
  if (existsSync(folder)) return folder;
  mkdirSync(root, { recursive: true });
  const draft = `${folder}.${process.pid}.new`;
  rmSync(draft, { recursive: true, force: true });
  for (const file of files) {
    mkdirSync(dirname(join(draft, file)), { recursive: true });
    copyFileSync(join(checkout, file), join(draft, file));
  }
  linkTree(join(checkout, modules), join(draft, modules));
  renameSync(draft, folder);
  return folder;
}

/** Removes all copies but this one. */
export function dropOtherSources(kept: string | undefined, root = keptRoot()): void {
  if (!existsSync(root)) return;
  for (const name of readdirSync(root))
    if (join(root, name) !== kept) rmSync(join(root, name), { recursive: true, force: true });
}

/** What git tracks, or would track: a change that is not committed counts, too. Tests and what they need stay out. */
async function sourcesOf(checkout: string): Promise<string[]> {
  const flags = ['--cached', '--others', '--exclude-standard', '-z'];
  const listed = await run('git', ['ls-files', ...flags, '--', ...parts], { cwd: checkout });
  const files = listed.split('\0').filter((file) => file !== '' && existsSync(join(checkout, file)));
  return files.filter((file) => !/\.test\.ts$|\/(testing|testenv|__snapshots__)\//.test(file)).sort();
}

/** Modules change with the lock file. */
function hashOf(checkout: string, files: readonly string[]): string {
  const hash = createHash('sha256').update(process.version);
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(checkout, file)))
      .update('\0');
  return hash.digest('hex').slice(0, 12);
}

/** A copy whose files are links where the file system can, so that it takes no space. npm replaces files and changes none. */
function linkTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkTree(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (entry.isFile()) linkOrCopy(source, target);
  }
}
