import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { withLock } from '../lib/lock.ts';
import { cachePath } from '../lib/paths.ts';
import { candidateOf, unpackPackages } from '../tools/debian.ts';

export interface DebianPackage {
  /** The folder that the paths of its files begin from. */
  root?: string;
  /** Why there is none. */
  problem?: string;
}

const remedy = 'run `apt-get update`, or use a machine with apt';

/**
 * The files of a Debian package, for tests that need a real program: of the version that apt would install, in the cache.
 * Nothing is installed and no service started.
 */
export async function findDebianPackage(name: string): Promise<DebianPackage> {
  const version = await candidateOf(name);
  if (version === undefined) {
    return { problem: `${name} is taken from Debian's packages, and apt does not have it: ${remedy}` };
  }
  const root = cachePath('debian', `${name}-${version.replace(/[^\w.+-]/g, '_')}`);
  await withLock({ path: `${root}.lock`, purpose: `unpacking ${name}` }, async () => {
    if (!existsSync(root)) await unpackTo(root, name, version);
  });
  return { root };
}

async function unpackTo(root: string, name: string, version: string): Promise<void> {
  mkdirSync(dirname(root), { recursive: true });
  const draft = mkdtempSync(`${root}-`);
  try {
    renameSync(await unpackPackages([`${name}=${version}`], draft), root);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
