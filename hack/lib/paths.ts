import { homedir } from 'node:os';
import { join } from 'node:path';

type Environment = Record<string, string | undefined>;

/** The folder for everything that can be deleted and rebuilt: binaries, images, build logs. */
function cacheRoot(env: Environment = process.env): string {
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'slipway');
}

/** A path in the cache folder. */
export function cachePath(...parts: string[]): string {
  return join(cacheRoot(), ...parts);
}

/** The root of the checkout that this code runs from. */
export const projectRoot = join(import.meta.dirname, '..', '..');

/** The machine's only state folder, for its native cluster; all checkouts share it. */
export const machineStateRoot = '/var/lib/slipway';
