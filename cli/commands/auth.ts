import { hostname } from 'node:os';
import type { Me } from '../../sdk/src/generated/types.ts';
import { type Profiles, profilesPath, readProfiles, writeProfiles } from '../config/profiles.ts';
import { cleanUrl, namedProfile } from '../config/settings.ts';
import { features } from '../features.ts';
import { fieldsText } from '../io/table.ts';
import { isSlipwayError } from '../lib/client.ts';
import { clientIn } from '../lib/clientIn.ts';
import type { Context } from '../lib/context.ts';
import { fail } from '../lib/failure.ts';
import { ours } from '../lib/ours.ts';
import { readKey } from '../lib/readKey.ts';
import type { Call, CommandSpec } from '../lib/spec.ts';

const login: CommandSpec = {
  usage: 'login',
  summary: 'Sign in to an installation.',
  details: `Opens the console, where you approve this machine: it gets an API key of its own, which you can revoke there. If there is no
browser, open the page on another machine and enter the code. With --with-token, an existing API key is read from standard
input. The key is checked and stored in a profile, in a file that only you can read. Keys are never taken from the command
line, where other users of the machine can see them.`,
  options: [
    { flags: '--url <url>', text: 'URL of the installation (SLIPWAY_URL, or that of the profile).' },
    {
      flags: '--device',
      text: 'Approve it in the console, even if there is no terminal.',
      excludes: ['withToken'],
    },
    { flags: '--with-token', text: 'Read the API key, <id>.<secret>, from standard input.' },
  ],
  examples: [
    'slipway login --url https://slipway.example.com',
    'slipway login --url https://slipway.example.com --device',
    'slipway login --url https://slipway.example.com --with-token < key.txt',
    'slipway login --profile staging --url https://staging.example.com',
  ],
  run: signIn,
};

const logout: CommandSpec = {
  usage: 'logout',
  summary: 'Remove a profile with its API key from this machine.',
  details: 'The key itself stays valid: revoke it with "slipway key delete".',
  examples: ['slipway logout', 'slipway logout --profile staging'],
  run: signOut,
};

const whoami: CommandSpec = {
  usage: 'whoami',
  summary: 'Show your user, the installation, the workspace and your permissions.',
  examples: ['slipway whoami', "slipway whoami --json | jq -r '.permissions[]'"],
  run: showMe,
};

const profile: CommandSpec = {
  usage: 'profile',
  summary: 'Manage profiles.',
  children: [
    {
      usage: 'list',
      summary: 'List the profiles on this machine, without their keys.',
      examples: ['slipway profile list'],
      run: listProfiles,
    },
    {
      usage: 'use <name>',
      summary: 'Use this profile from now on.',
      examples: ['slipway profile use staging'],
      run: useProfile,
    },
  ],
};

export const authCommands: readonly CommandSpec[] = [login, logout, whoami, profile];

async function signIn(context: Context, { options }: Call): Promise<void> {
  const { io, ui, choice } = context;
  const path = profilesPath(io);
  const stored = await readProfiles(path);
  const named = namedProfile({ ...io, ...choice });
  const known = named ?? stored.current ?? 'default';
  const given = options.text('url') ?? io.env.SLIPWAY_URL ?? stored.profiles[known]?.url;
  if (!given) throw fail('usage', 'The address is missing.', 'Add --url https://slipway.example.com.');
  const url = cleanUrl(given, '--url');
  const name = named ?? profileFor(stored, known, url);
  warnOfPlainHttp(context, url);
  const settings = { url, apiKey: await keyFor(context, options, url) };
  const former = stored.profiles[name];
  const kept = former?.url === url ? former.workspace : undefined;
  const { me, workspace } = await meIn(context, settings, kept);
  // Whoever approved took their time: another terminal may have stored a profile since.
  const { profiles } = await readProfiles(path);
  profiles[name] = { ...settings, ...(workspace ? { workspace } : {}) };
  await writeProfiles(path, { current: name, profiles });
  ui.note(`Signed in to ${url} as profile "${name}", stored in ${path}.`);
  noteOfEnvironment(context, name);
  ui.object(me, meText(me, url, name));
}

/** A profile whose key is not lost by signing in to `url`: `known`, or else one that is called after the installation. */
function profileFor({ profiles }: Profiles, known: string, url: string): string {
  const name = [known, new URL(url).host].find((one) => (profiles[one]?.url ?? url) === url);
  if (name !== undefined) return name;
  throw fail(
    'usage',
    `Profile "${known}" is for ${profiles[known]?.url}, and its key would be lost.`,
    'Name another one with --profile NAME.',
  );
}

/** Who the key is, in the workspace that is asked for; else in that of the former profile, unless it is gone. */
async function meIn(
  { io, ui, choice }: Context,
  settings: { url: string; apiKey: string },
  kept: string | undefined,
): Promise<{ me: Me; workspace: string | undefined }> {
  const read = async (workspace: string | undefined) => {
    const client = await clientIn({ ...settings, workspace, given: choice.workspace }, io, ui);
    return ours(client.account.get({ signal: io.signal }), 'user');
  };
  try {
    const me = await read(kept);
    return { me, workspace: choice.workspace ? me.workspace?.id : kept };
  } catch (error) {
    if (isSlipwayError(error, 'Unauthorized')) throw refusedKey(settings.url);
    if (choice.workspace || kept === undefined || !isSlipwayError(error, 'NotFound')) throw error;
    return { me: await read(undefined), workspace: undefined };
  }
}

function refusedKey(url: string): Error {
  return fail(
    'signIn',
    `${url} does not accept this API key: it has expired, was revoked, or is for another installation.`,
    'Run "slipway login" without --with-token for a new one, or ask an owner of your workspace.',
  );
}

/** From standard input where it is asked for; else a key of its own from the console; else the user has one to type. */
async function keyFor(context: Context, options: Call['options'], url: string): Promise<string> {
  const { io, ui } = context;
  const isAsked = options.isSet('device');
  if (options.isSet('withToken')) return readKey(context, url);
  if (!isAsked && !io.stdin.isTerminal) {
    throw fail(
      'usage',
      'There is no terminal to ask for the API key.',
      'Add --with-token and pass it on standard input, or --device and approve it in the console.',
    );
  }
  const key = await features.find(({ keyOfMachine }) => keyOfMachine)?.keyOfMachine?.(context, url);
  if (key !== undefined) return key;
  if (isAsked)
    throw fail(
      'failed',
      `${url} gives no keys to devices: nobody can sign in to its console, which needs TLS.`,
      'Add --with-token instead, and pass an API key on standard input.',
    );
  ui.note(`${url} does not offer sign-in for devices.`);
  return readKey(context, url);
}

function warnOfPlainHttp({ ui }: Context, url: string): void {
  const { protocol, hostname: host } = new URL(url);
  const isLocal = host === 'localhost' || host === '[::1]' || host.startsWith('127.') || host === hostname();
  if (protocol === 'http:' && !isLocal)
    ui.note(`Warning: ${url} is plain HTTP: the key crosses the network unprotected.`);
}

/** A key in the environment, such as that of .slipway/env, comes before the profile that was just chosen. */
function noteOfEnvironment({ io, ui }: Context, name: string): void {
  if (io.env.SLIPWAY_API_KEY)
    ui.note(
      `SLIPWAY_API_KEY is set and takes precedence over the profile: unset it, or add --profile ${name}.`,
    );
}

async function signOut({ io, ui, choice }: Context): Promise<void> {
  const path = profilesPath(io);
  const { current, profiles } = await readProfiles(path);
  const name = namedProfile({ ...io, ...choice }) ?? current ?? 'default';
  if (!profiles[name]) throw fail('notFound', `There is no profile "${name}".`, 'See: slipway profile list');
  delete profiles[name];
  // Another one might be for another installation, so the user selects it.
  await writeProfiles(path, { current: current === name ? undefined : current, profiles });
  ui.note(`Removed profile "${name}" from ${path}. Its key stays valid until it is revoked.`);
}

async function showMe(context: Context): Promise<void> {
  const settings = await context.settings();
  const client = await context.client();
  const me = await ours(client.account.get({ signal: context.io.signal }), 'user');
  context.ui.object(me, meText(me, settings.url, settings.profile));
}

function meText(me: Me, url: string, name: string | undefined): string {
  const { user, workspace } = me;
  return fieldsText([
    ['URL', url],
    ['Profile', name],
    ['User', [user.name, user.email].filter(Boolean).join(' ') || user.id],
    ['User id', user.id],
    ['Address', user.address],
    ['Workspace', workspace ? `${workspace.name} (${workspace.id})` : undefined],
    ['Role', me.role],
    ['API key', me.apiKeyID],
    ['Permissions', me.permissions.join(', ')],
  ]);
}

async function listProfiles({ io, ui }: Context): Promise<void> {
  const { current, profiles } = await readProfiles(profilesPath(io));
  const items = Object.entries(profiles).map(([name, { url, workspace }]) => ({
    name,
    url,
    workspace,
    isCurrent: name === current,
  }));
  await ui.list(items, [
    { title: 'name', value: ({ name }) => name },
    { title: 'url', value: ({ url }) => url },
    { title: 'workspace', value: ({ workspace = '' }) => workspace },
    { title: 'current', value: ({ isCurrent }) => (isCurrent ? 'yes' : '') },
  ]);
}

async function useProfile(context: Context, { args: [name = ''] }: Call): Promise<void> {
  const { io, ui } = context;
  const path = profilesPath(io);
  const { profiles } = await readProfiles(path);
  if (!profiles[name]) throw fail('notFound', `There is no profile "${name}".`, 'See: slipway profile list');
  await writeProfiles(path, { current: name, profiles });
  ui.note(`Using profile "${name}".`);
  noteOfEnvironment(context, name);
}
