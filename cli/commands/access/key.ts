import type { NewApiKey } from '../../../sdk/src/generated/types.ts';
import { unknownValue } from '../../../sdk/src/unknownValue.ts';
import { fieldsText } from '../../io/table.ts';
import type { Context } from '../../lib/context.ts';
import { atMost, findListed } from '../../lib/resolve.ts';
import { type Call, type CommandSpec, limitOption } from '../../lib/spec.ts';
import { workspaceIdOf } from '../workspace.ts';
import { expiry, roleOption } from './options.ts';

export const keyCommand: CommandSpec = {
  usage: 'key',
  summary: 'Create and revoke API keys.',
  children: [
    {
      usage: 'create <name>',
      summary: 'Create an API key. It is shown only once.',
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
        'slipway key create ci --role developer --quiet | slipway login --profile ci --url URL --with-token',
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
      usage: 'delete <key>',
      summary: 'Revoke an API key, by name or id. It stops working at once.',
      examples: ['slipway key delete ci'],
      async run(context, { args: [given = ''] }) {
        const client = await context.client();
        const id = await workspaceIdOf(context, client);
        const { signal } = context.io;
        const { id: keyId } = await findListed(client.apiKeys.listAll(id, {}, { signal }), given, {
          kind: 'API key',
          see: 'slipway key list',
          idOf: (key) => key.id,
          isNamed: ({ name }) => name === given,
        });
        await client.apiKeys.delete({ id, keyId }, { signal });
        context.ui.item({ id: keyId, isDeleted: true }, `revoked ${given}`);
      },
    },
  ],
};

async function createKey(context: Context, { args: [name = ''], options }: Call): Promise<void> {
  const client = await context.client();
  const permissions = options.list('permission');
  const body = {
    name,
    role: unknownValue(options.text('role') ?? ''),
    ...(permissions.length > 0 ? { permissions: permissions.map(unknownValue) } : {}),
    expiresAt: expiry(context, options),
  };
  const key = await client.apiKeys.create(await workspaceIdOf(context, client), body, {
    signal: context.io.signal,
  });
  showKey(context, key);
}

function showKey({ ui }: Context, key: NewApiKey): void {
  ui.note('The token is shown only once: store it now.');
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
