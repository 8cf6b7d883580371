import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readlink, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { messageOf } from '../../core/lib/errors.ts';
import { fail } from '../lib/failure.ts';
import { isMembers } from '../lib/values.ts';

/** An installation and the credentials for it. */
export interface Profile {
  url: string;
  /** An API key as one text: its id, a dot, and its secret. */
  apiKey: string;
  /** Id of the workspace to act in, when it is not the key's own. */
  workspace?: string | undefined;
}

export interface Profiles {
  /** Name of the profile that is used when none is named. */
  current?: string | undefined;
  profiles: Record<string, Profile>;
}

interface Places {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
}

/** `$SLIPWAY_CONFIG`, or `slipway/slipway.json` in the configuration folder of the user. */
export function profilesPath({ env, home }: Places): string {
  if (env.SLIPWAY_CONFIG) return env.SLIPWAY_CONFIG;
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'slipway', 'slipway.json');
}

/** The stored profiles; none when there is no file. Refuses a file that others can read. */
export async function readProfiles(path: string, platform = process.platform): Promise<Profiles> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw fail('failed', `${path} cannot be read: ${error.code}.`, 'Check its owner and mode.');
  });
  if (!file) return { profiles: {} };
  try {
    const { mode } = await file.stat();
    // Windows has no such modes: every file seems to be for all, and the user's folder is the user's alone.
    if (platform !== 'win32' && (mode & 0o077) !== 0) throw readableByOthers(path, mode);
    return parseProfiles(await file.readFile('utf8'), path);
  } finally {
    await file.close();
  }
}

/**
 * Replaces the file as a whole: a reader sees the old one or the new one. Only the owner can read it, at any time. A link
 * to it stays one.
 */
export async function writeProfiles(path: string, profiles: Profiles): Promise<void> {
  try {
    await replace(await targetOf(path), `${JSON.stringify(profiles, null, 2)}\n`);
  } catch (error) {
    throw fail(
      'failed',
      `${path} cannot be written: ${messageOf(error)}.`,
      'Check the owner and mode of its folder.',
    );
  }
}

/** The file that a path means, which may not be there yet: people keep their settings elsewhere, and link to them. */
async function targetOf(path: string): Promise<string> {
  const link = await readlink(path).catch(() => undefined);
  if (link === undefined) return path;
  const folder = await realpath(dirname(path));
  return realpath(path).catch(() => resolve(folder, link));
}

async function replace(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    // The umask may have taken the owner's own rights.
    await chmod(temporary, 0o600);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

function readableByOthers(path: string, mode: number): Error {
  const octal = (mode & 0o777).toString(8);
  return fail(
    'signIn',
    `${path} has mode ${octal}: others can read the API keys in it.`,
    `Run: chmod 600 ${path} (and replace the keys if others have access to this machine).`,
  );
}

function parseProfiles(text: string, path: string): Profiles {
  const value = parseJson(text, path);
  const profiles: Record<string, Profile> = {};
  for (const [name, one] of Object.entries(isMembers(value.profiles) ? value.profiles : {})) {
    const isComplete = isMembers(one) && typeof one.url === 'string' && typeof one.apiKey === 'string';
    if (!isComplete) throw damaged(path, `profile "${name}" has no url or no apiKey`);
    const { url, apiKey, workspace } = one;
    profiles[name] = {
      url: String(url),
      apiKey: String(apiKey),
      ...(typeof workspace === 'string' ? { workspace } : {}),
    };
  }
  return { profiles, ...(typeof value.current === 'string' ? { current: value.current } : {}) };
}

function parseJson(text: string, path: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isMembers(value)) return value;
  } catch {
    throw damaged(path, 'it is not JSON');
  }
  throw damaged(path, 'it is not an object');
}

function damaged(path: string, why: string): Error {
  return fail('signIn', `${path} is damaged: ${why}.`, 'Remove it and sign in again: slipway login');
}
