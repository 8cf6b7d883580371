import { hostname } from 'node:os';
import type { Me } from '../../sdk/src/generated/types.ts';
import { profilesPath, readProfiles, writeProfiles } from '../config/profiles.ts';
import { cleanUrl, namedProfile } from '../config/settings.ts';
import { fieldsText } from '../io/table.ts';
import { createClientFor } from '../lib/client.ts';
import type { Context } from '../lib/context.ts';
import { fail } from '../lib/failure.ts';
import type { Call, CommandSpec } from '../lib/spec.ts';

const login: CommandSpec = {
  usage: 'login',
  summary: 'Sign in to an installation with an API key.',
  details: `Asks for the key, or reads it from standard input with --with-token. It is checked, and stored in a profile in a
file that only you can read. Keys are never taken from the command line, where others can see them.`,
  options: [
    { flags: '--url <url>', text: 'Address of the installation (SLIPWAY_URL, or that of the profile).' },
    { flags: '--with-token', text: 'Read the API key, <id>.<secret>, from standard input.' },
  ],
  examples: [
    'slipway login --url https://slipway.example.com',
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
  summary: 'Show who you are signed in as, where, and what you may do.',
  examples: ['slipway whoami', "slipway whoami --json | jq -r '.permissions[]'"],
  run: showMe,
};

const profile: CommandSpec = {
  usage: 'profile',
  summary: 'See and select profiles.',
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
  const name = namedProfile({ ...io, ...choice }) ?? stored.current ?? 'default';
  const given = options.text('url') ?? io.env.SLIPWAY_URL ?? stored.profiles[name]?.url;
  if (!given) throw fail('usage', 'The address is missing.', 'Add --url https://slipway.example.com.');
  const url = cleanUrl(given, '--url');
  warnOfPlainHttp(context, url);
  const settings = { url, apiKey: await readKey(context, options.isSet('withToken'), url) };
  const workspace = choice.workspace;
  const me = await createClientFor({ ...settings, workspace }, io, ui).account.get({ signal: io.signal });
  stored.profiles[name] = { ...settings, ...(workspace ? { workspace } : {}) };
  await writeProfiles(path, { current: name, profiles: stored.profiles });
  ui.note(`Signed in to ${url} as profile "${name}", stored in ${path}.`);
  ui.object(me, meText(me, url, name));
}

async function readKey({ io }: Context, isFromInput: boolean, url: string): Promise<string> {
  if (!isFromInput && !io.stdin.isTerminal) {
    throw fail(
      'usage',
      'There is no terminal to ask for the API key.',
      'Add --with-token and pass it on standard input.',
    );
  }
  const text = isFromInput
    ? (await io.stdin.read()).toString('utf8')
    : await io.stdin.ask(`API key for ${url} (<id>.<secret>): `, true);
  const key = text.trim();
  if (!/^[\x21-\x7e]+\.[\x21-\x7e]+$/.test(key)) {
    throw fail(
      'usage',
      'That is not an API key.',
      'It is one line of the form <id>.<secret>, as it was shown once.',
    );
  }
  return key;
}

function warnOfPlainHttp({ ui }: Context, url: string): void {
  const { protocol, hostname: host } = new URL(url);
  const isLocal = host === 'localhost' || host === '[::1]' || host.startsWith('127.') || host === hostname();
  if (protocol === 'http:' && !isLocal)
    ui.note(`Warning: ${url} is plain HTTP: the key crosses the network unprotected.`);
}

async function signOut({ io, ui, choice }: Context): Promise<void> {
  const path = profilesPath(io);
  const { current, profiles } = await readProfiles(path);
  const name = namedProfile({ ...io, ...choice }) ?? current ?? 'default';
  if (!profiles[name]) throw fail('notFound', `There is no profile "${name}".`, 'See: slipway profile list');
  delete profiles[name];
  const next = current === name ? Object.keys(profiles)[0] : current;
  await writeProfiles(path, { current: next, profiles });
  ui.note(`Removed profile "${name}" from ${path}. Its key stays valid until it is revoked.`);
}

async function showMe(context: Context): Promise<void> {
  const settings = await context.settings();
  const client = await context.client();
  const me = await client.account.get({ signal: context.io.signal });
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
    ...{ name, url, workspace },
    isCurrent: name === current,
  }));
  await ui.list(items, [
    { title: 'name', value: ({ name }) => name },
    { title: 'url', value: ({ url }) => url },
    { title: 'workspace', value: ({ workspace = '' }) => workspace },
    { title: 'current', value: ({ isCurrent }) => (isCurrent ? 'yes' : '') },
  ]);
}

async function useProfile({ io, ui }: Context, { args: [name = ''] }: Call): Promise<void> {
  const path = profilesPath(io);
  const { profiles } = await readProfiles(path);
  if (!profiles[name]) throw fail('notFound', `There is no profile "${name}".`, 'See: slipway profile list');
  await writeProfiles(path, { current: name, profiles });
  ui.note(`Using profile "${name}".`);
}
