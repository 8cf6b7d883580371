import { toRfc3339 } from '../../core/lib/clock.ts';
import { createClient } from '../../sdk/src/client.ts';
import type { NewApiKey } from '../../sdk/src/generated/types.ts';
import { profilesPath, readProfiles, writeProfiles } from '../config/profiles.ts';
import { cleanUrl, namedProfile } from '../config/settings.ts';
import { readText } from '../io/input.ts';
import { fieldsText } from '../io/table.ts';
import type { Context } from '../lib/context.ts';
import { fail } from '../lib/failure.ts';
import type { Options } from '../lib/options.ts';
import { atMost } from '../lib/resolve.ts';
import type { Call, CommandSpec } from '../lib/spec.ts';
import { workspaceIdOf } from './workspace.ts';

const roleOption = {
  flags: '--role <role>',
  text: 'Role in the workspace.',
  choices: ['owner', 'admin', 'developer', 'viewer'],
};
const limitOption = { flags: '--limit <number>', text: 'At most this many items.' };

const keyCommand: CommandSpec = {
  usage: 'key',
  summary: 'Create and revoke API keys.',
  children: [
    {
      usage: 'create <name>',
      summary: 'Create an API key. It is shown this once.',
      options: [
        { ...roleOption, isRequired: true },
        {
          flags: '--permission <name>',
          text: 'Only this permission of the role; may be repeated.',
          isMany: true,
        },
        { flags: '--expires-after <duration>', text: 'How long it is valid, such as 24h.' },
      ],
      examples: [
        'slipway key create ci --role developer --expires-after 24h',
        'slipway key create ci --role developer --json | jq -r .token | slipway login --profile ci --url URL --with-token',
      ],
      run: createKey,
    },
    {
      usage: 'list',
      summary: 'List API keys, without their secrets.',
      options: [limitOption],
      examples: ['slipway key list'],
      run: listKeys,
    },
    {
      usage: 'delete <id>',
      summary: 'Revoke an API key. It stops working at once.',
      examples: ['slipway key delete k-7d3f'],
      async run(context, { args: [keyId = ''] }) {
        const client = await context.client();
        const id = await workspaceIdOf(context, client);
        await client.apiKeys.delete({ id, keyId }, { signal: context.io.signal });
        context.ui.item({ id: keyId, isDeleted: true }, `revoked ${keyId}`);
      },
    },
  ],
};

const memberCommand: CommandSpec = {
  usage: 'member',
  summary: 'See and change the members of the workspace.',
  children: [
    {
      usage: 'list',
      summary: 'List the members.',
      options: [limitOption],
      examples: ['slipway member list'],
      run: listMembers,
    },
    {
      usage: 'set-role <user> <role>',
      summary: 'Give a member another role.',
      examples: ['slipway member set-role u-5e1c viewer'],
      async run(context, { args: [userId = '', role = ''] }) {
        const client = await context.client();
        const id = await workspaceIdOf(context, client);
        const member = await client.memberships.replace(
          { id, userId },
          { role },
          { signal: context.io.signal },
        );
        context.ui.object(
          member,
          fieldsText([
            ['User', userId],
            ['E-mail', member.email],
            ['Role', member.role],
          ]),
        );
      },
    },
    {
      usage: 'remove <user>',
      summary: 'Remove a member, whose keys for this workspace stop working.',
      examples: ['slipway member remove u-5e1c'],
      async run(context, { args: [userId = ''] }) {
        const client = await context.client();
        const id = await workspaceIdOf(context, client);
        await client.memberships.delete({ id, userId }, { signal: context.io.signal });
        context.ui.item({ userID: userId, isDeleted: true }, `removed ${userId}`);
      },
    },
  ],
};

const invitationCommand: CommandSpec = {
  usage: 'invitation',
  summary: 'Invite people to the workspace.',
  children: [
    {
      usage: 'create <email>',
      summary: 'Invite someone. The token that accepts the invitation is shown this once.',
      options: [
        { ...roleOption, isRequired: true },
        { flags: '--expires-after <duration>', text: 'How long it can be accepted (7 days).' },
      ],
      examples: ['slipway invitation create ann@example.com --role developer'],
      run: invite,
    },
    {
      usage: 'list',
      summary: 'List invitations.',
      options: [limitOption],
      examples: ['slipway invitation list'],
      run: listInvitations,
    },
    {
      usage: 'delete <id>',
      summary: 'Revoke an invitation.',
      examples: ['slipway invitation delete inv-5e1c'],
      async run(context, { args: [invitationId = ''] }) {
        const client = await context.client();
        const id = await workspaceIdOf(context, client);
        await client.invitations.delete({ id, invitationId }, { signal: context.io.signal });
        context.ui.item({ id: invitationId, isDeleted: true }, `revoked ${invitationId}`);
      },
    },
    {
      usage: 'accept',
      summary: 'Accept an invitation, whose token is read from standard input.',
      details: `Who is signed in becomes a member. With --new-account, an account is created for this invitation, and its first API key is
stored in a profile.`,
      options: [
        { flags: '--new-account', text: 'Create an account.' },
        { flags: '--url <url>', text: 'Address of the installation, for --new-account.' },
      ],
      examples: [
        'slipway invitation accept < token.txt',
        'slipway invitation accept --new-account --url https://slipway.example.com < token.txt',
      ],
      run: accept,
    },
  ],
};

export const accessCommands: readonly CommandSpec[] = [keyCommand, memberCommand, invitationCommand];

function expiry({ io }: Context, options: Options): string | undefined {
  const afterMs = options.durationMs('expiresAfter');
  return afterMs === undefined ? undefined : toRfc3339(io.clock.nowMs() + afterMs);
}

async function createKey(context: Context, { args: [name = ''], options }: Call): Promise<void> {
  const client = await context.client();
  const permissions = options.list('permission');
  const body = {
    name,
    role: options.text('role') ?? '',
    ...(permissions.length > 0 ? { permissions } : {}),
    expiresAt: expiry(context, options),
  };
  const key = await client.apiKeys.create(await workspaceIdOf(context, client), body, {
    signal: context.io.signal,
  });
  showKey(context, key);
}

function showKey({ ui }: Context, key: NewApiKey): void {
  ui.note('The token is shown this once: store it now.');
  const { name, id, role, expiresAt, token } = key;
  ui.object(
    key,
    fieldsText([
      ['Name', name],
      ['Id', id],
      ['Role', role],
      ['Expires', expiresAt],
      ['Token', token],
    ]),
  );
}

async function listKeys(context: Context, { options }: Call): Promise<void> {
  const client = await context.client();
  const items = client.apiKeys.listAll(
    await workspaceIdOf(context, client),
    {},
    { signal: context.io.signal },
  );
  await context.ui.list(atMost(items, options.wholeNumber('limit')), [
    { title: 'name', value: ({ name }) => name },
    { title: 'role', value: ({ role }) => role },
    { title: 'user', value: ({ userID }) => userID },
    { title: 'expires', value: ({ expiresAt = '' }) => expiresAt },
    { title: 'last used', value: ({ lastUsedAt = '' }) => lastUsedAt },
    { title: 'id', value: ({ id }) => id },
  ]);
}

async function listMembers(context: Context, { options }: Call): Promise<void> {
  const client = await context.client();
  const items = client.memberships.listAll(
    await workspaceIdOf(context, client),
    {},
    { signal: context.io.signal },
  );
  await context.ui.list(atMost(items, options.wholeNumber('limit')), [
    { title: 'user', value: ({ userID }) => userID },
    { title: 'e-mail', value: ({ email = '' }) => email },
    { title: 'role', value: ({ role }) => role },
    { title: 'since', value: ({ createdAt = '' }) => createdAt },
  ]);
}

async function invite(context: Context, { args: [email = ''], options }: Call): Promise<void> {
  const client = await context.client();
  const body = { email, role: options.text('role') ?? '', expiresAt: expiry(context, options) };
  const id = await workspaceIdOf(context, client);
  const invitation = await client.invitations.create(id, body, { signal: context.io.signal });
  context.ui.note('The token is shown this once: pass it on now.');
  const { role, expiresAt, token } = invitation;
  const fields = [
    ['E-mail', email],
    ['Role', role],
    ['Id', invitation.id],
    ['Expires', expiresAt],
    ['Token', token],
  ];
  context.ui.object(invitation, fieldsText(fields.map(([title = '', value]) => [title, value])));
}

async function listInvitations(context: Context, { options }: Call): Promise<void> {
  const client = await context.client();
  const items = client.invitations.listAll(
    await workspaceIdOf(context, client),
    {},
    { signal: context.io.signal },
  );
  await context.ui.list(atMost(items, options.wholeNumber('limit')), [
    { title: 'e-mail', value: ({ email }) => email },
    { title: 'role', value: ({ role }) => role },
    { title: 'state', value: ({ state }) => state },
    { title: 'expires', value: ({ expiresAt = '' }) => expiresAt },
    { title: 'id', value: ({ id }) => id },
  ]);
}

async function accept(context: Context, { options }: Call): Promise<void> {
  const { io, ui } = context;
  const token = (await readText(io, '-')).trim();
  if (!options.isSet('newAccount')) {
    const membership = await (await context.client()).invitations.accept({ token }, { signal: io.signal });
    return ui.object(
      membership,
      fieldsText([
        ['Workspace', membership.workspaceID],
        ['Role', membership.role],
      ]),
    );
  }
  const given = options.text('url') ?? io.env.SLIPWAY_URL;
  if (!given) throw fail('usage', 'The address is missing.', 'Add --url https://slipway.example.com.');
  const url = cleanUrl(given, '--url');
  const accepted = await createClient({ url, fetch: io.fetch }).invitations.accept(
    { token },
    { signal: io.signal },
  );
  const { apiKey, ...membership } = accepted;
  if (apiKey) await store(context, url, apiKey.token);
  ui.object(
    membership,
    fieldsText([
      ['Workspace', membership.workspaceID],
      ['Role', membership.role],
    ]),
  );
}

async function store({ io, ui, choice }: Context, url: string, apiKey: string): Promise<void> {
  const path = profilesPath(io);
  const { profiles } = await readProfiles(path);
  const name = namedProfile({ ...io, ...choice }) ?? (profiles.default ? new URL(url).hostname : 'default');
  profiles[name] = { url, apiKey };
  await writeProfiles(path, { current: name, profiles });
  ui.note(`Stored the key of the new account as profile "${name}" in ${path}.`);
}
