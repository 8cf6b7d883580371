import { homedir } from 'node:os';
import { join } from 'node:path';

type Environment = Record<string, string | undefined>;

/** Folder of everything that may be deleted and made again: built binaries, images, logs of builds. */
function cacheRoot(env: Environment = process.env): string {
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'slipway');
}

/** A path below the cache folder. */
export function cachePath(...parts: string[]): string {
  return join(cacheRoot(), ...parts);
}

/** The checkout that this code runs from. */
export const projectRoot = join(import.meta.dirname, '..', '..');

/** The one state folder of a machine: its native cluster, whichever checkout started it. */
export const machineStateRoot = '/var/lib/slipway';
