import { createClient } from '../../../sdk/src/client.ts';
import { profilesPath, readProfiles, writeProfiles } from '../../config/profiles.ts';
import { cleanUrl, namedProfile } from '../../config/settings.ts';
import { readText } from '../../io/input.ts';
import { fieldsText } from '../../io/table.ts';
import type { Context } from '../../lib/context.ts';
import { fail } from '../../lib/failure.ts';
import { atMost } from '../../lib/resolve.ts';
import type { Call, CommandSpec } from '../../lib/spec.ts';
import { workspaceIdOf } from '../workspace.ts';
import { expiry, limitOption, roleOption } from './options.ts';

export const invitationCommand: CommandSpec = {
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
      usage: 'resend <id>',
      summary: 'Mail an invitation again, with the same link.',
      examples: ['slipway invitation resend inv-5e1c'],
      async run(context, { args: [invitationId = ''] }) {
        const client = await context.client();
        const id = await workspaceIdOf(context, client);
        const invitation = await client.invitations.resend(
          { id, invitationId },
          { signal: context.io.signal },
        );
        context.ui.item(invitation, `mailed to ${invitation.email} in a moment`);
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
