import { createClient } from '../../../sdk/src/client.ts';
import type { Membership } from '../../../sdk/src/generated/types.ts';
import { unknownValue } from '../../../sdk/src/unknownValue.ts';
import { type Profiles, profilesPath, readProfiles, writeProfiles } from '../../config/profiles.ts';
import { cleanUrl, namedProfile } from '../../config/settings.ts';
import { readText } from '../../io/input.ts';
import { fieldsText } from '../../io/table.ts';
import type { Client } from '../../lib/client.ts';
import type { Context } from '../../lib/context.ts';
import { fail } from '../../lib/failure.ts';
import { atMost, findListed } from '../../lib/resolve.ts';
import { type Call, type CommandSpec, limitOption } from '../../lib/spec.ts';
import { workspaceIdOf } from '../workspace.ts';
import { expiry, roleOption } from './options.ts';

export const invitationCommand: CommandSpec = {
  usage: 'invitation',
  summary: 'Invite people to the workspace.',
  children: [
    {
      usage: 'create <email>',
      summary: 'Invite someone. The token that accepts the invitation is shown only once.',
      options: [
        { ...roleOption, isRequired: true },
        { flags: '--expires-after <duration>', text: 'How long it can be accepted, such as 24h (7d).' },
      ],
      examples: [
        'slipway invitation create ann@example.com --role developer',
        'slipway invitation create ann@example.com --role developer --quiet > token.txt',
      ],
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
      usage: 'delete <invitation>',
      summary: 'Revoke an invitation, by e-mail address or id.',
      examples: ['slipway invitation delete ann@example.com'],
      async run(context, { args: [given = ''] }) {
        const client = await context.client();
        const path = await findInvitation(context, client, given);
        await client.invitations.delete(path, { signal: context.io.signal });
        context.ui.item({ id: path.invitationId, isDeleted: true }, `revoked ${given}`);
      },
    },
    {
      usage: 'resend <invitation>',
      summary: 'Mail an invitation again, by e-mail address or id, with the same link.',
      examples: ['slipway invitation resend ann@example.com'],
      async run(context, { args: [given = ''] }) {
        const client = await context.client();
        const path = await findInvitation(context, client, given);
        const invitation = await client.invitations.resend(path, { signal: context.io.signal });
        context.ui.item(invitation, `mailed to ${invitation.email} in a moment`);
      },
    },
    {
      usage: 'accept',
      summary: 'Accept an invitation. Its token is read from standard input.',
      details: `If you are signed in, you become a member. With --new-account, an account is created for this invitation, and its first API
key is stored in a profile.`,
      options: [
        { flags: '--new-account', text: 'Create an account.' },
        { flags: '--url <url>', text: 'URL of the installation, for --new-account.' },
      ],
      examples: [
        'slipway invitation accept < token.txt',
        'slipway invitation accept --new-account --url https://slipway.example.com < token.txt',
      ],
      run: accept,
    },
  ],
};

/** The ids of the workspace and of its invitation; by the address, of one that is still open. */
async function findInvitation(
  context: Context,
  client: Client,
  given: string,
): Promise<{ id: string; invitationId: string }> {
  const workspace = await workspaceIdOf(context, client);
  const invitations = client.invitations.listAll(workspace, {}, { signal: context.io.signal });
  const { id: invitationId } = await findListed(invitations, given, {
    kind: 'invitation',
    see: 'slipway invitation list',
    idOf: ({ id }) => id,
    isNamed: ({ email, state }) => email === given && state === 'Pending',
  });
  return { id: workspace, invitationId };
}

async function invite(context: Context, { args: [email = ''], options }: Call): Promise<void> {
  const client = await context.client();
  const body = { email, role: unknownValue(options.text('role') ?? ''), expiresAt: expiry(context, options) };
  const id = await workspaceIdOf(context, client);
  const invitation = await client.invitations.create(id, body, { signal: context.io.signal });
  context.ui.note(
    'The token is shown only once: pass on the link, or the token for "slipway invitation accept".',
  );
  const { role, expiresAt, token } = invitation;
  const { url } = await context.settings();
  const fields = [
    ['E-mail', email],
    ['Role', role],
    ['Id', invitation.id],
    ['Expires', expiresAt],
    ['Token', token],
    // Browsers send what is behind "#" to nobody.
    ['Link', `${url}/invitations/accept#${token}`],
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
  const { io } = context;
  if (options.isSet('newAccount')) return acceptAsNewAccount(context, options);
  if (options.text('url') !== undefined) {
    throw fail(
      'usage',
      '--url is for --new-account: who is signed in accepts it where they are signed in.',
      'Add --new-account, or choose another profile with --profile.',
    );
  }
  const { invitations } = await context.client();
  showMembership(
    context,
    await invitations.accept({ token: await readToken(context) }, { signal: io.signal }),
  );
}

async function acceptAsNewAccount(context: Context, options: Call['options']): Promise<void> {
  const { io } = context;
  const given = options.text('url') ?? io.env.SLIPWAY_URL;
  if (!given) throw fail('usage', 'The address is missing.', 'Add --url https://slipway.example.com.');
  const url = cleanUrl(given, '--url');
  // The key of the new account is given only once: what keeps it from being stored must be known before.
  await newProfile(context, url);
  const token = await readToken(context);
  const { apiKey, ...membership } = await createClient({ url, fetch: io.fetch }).invitations.accept(
    { token },
    { signal: io.signal },
  );
  if (apiKey) {
    await store(context, url, apiKey.token).catch((error: unknown) => {
      // Nothing else opens the account.
      context.ui.note('The key of the new account was not stored, and is shown only once: keep it.');
      context.ui.answer(apiKey, `${apiKey.token}\n`);
      throw error;
    });
  }
  showMembership(context, membership);
}

async function readToken({ io }: Context): Promise<string> {
  if (io.stdin.isTerminal) return (await io.stdin.ask('Token of the invitation: ', true)).trim();
  return (await readText(io, '-')).trim();
}

function showMembership({ ui }: Context, membership: Membership): void {
  ui.object(
    membership,
    fieldsText([
      ['Workspace', membership.workspaceID],
      ['Role', membership.role],
    ]),
  );
}

/** The stored profiles, and the name of one that is not among them: another account's key is not overwritten. */
async function newProfile({ io, choice }: Context, url: string): Promise<Profiles & { name: string }> {
  const { profiles } = await readProfiles(profilesPath(io));
  const named = namedProfile({ ...io, ...choice });
  const names = named === undefined ? ['default', new URL(url).hostname] : [named];
  const name = names.find((one) => !profiles[one]);
  if (name !== undefined) return { profiles, name };
  throw fail(
    'usage',
    `There is a profile "${names.at(-1)}" already, and its key would be lost.`,
    'Name another one with --profile NAME.',
  );
}

async function store(context: Context, url: string, apiKey: string): Promise<void> {
  const path = profilesPath(context.io);
  const { profiles, name } = await newProfile(context, url);
  profiles[name] = { url, apiKey };
  await writeProfiles(path, { current: name, profiles });
  context.ui.note(`Stored the key of the new account as profile "${name}" in ${path}.`);
}
