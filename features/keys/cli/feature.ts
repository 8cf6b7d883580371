import type { CliFeature } from '../../../cli/feature.ts';
import type { Context } from '../../../cli/lib/context.ts';
import { parseDurationMs } from '../../../cli/lib/duration.ts';
import { findNetwork } from '../../../cli/lib/resolve.ts';
import type { Call, CommandSpec } from '../../../cli/lib/spec.ts';
import type { RpcKey } from '../../../sdk/src/generated/types.ts';
import { rpcKeyKind } from './kind.ts';

const list: CommandSpec = {
  usage: 'list <network>',
  summary: 'List the keys of a network that have names, with their URLs. Does not wake it.',
  examples: ['slipway network keys list my-net', 'slipway network keys list my-net --json'],
  async run({ client: connect, io, ui }, { args: [name = ''] }) {
    const client = await connect();
    const { id } = await findNetwork(client, name);
    const { items } = await client.networks.listKeys(id, { signal: io.signal });
    await ui.list(items, columns);
  },
};

const create: CommandSpec = {
  usage: 'create <network> <name>',
  summary: 'Create a key for the RPC URLs of a network, and print its URL.',
  details: `Whoever has the URL may do what the key allows, until it expires or you revoke it. Without --method, that is what the public URL
allows.`,
  options: [
    {
      flags: '--expires-after <duration>',
      text: 'How long it is valid, such as 24h or 90d (until it is revoked).',
    },
    {
      flags: '--method <method>',
      text: 'Only this method, such as eth_call, or those that begin so: "eth_*"; may be repeated.',
      isMany: true,
    },
  ],
  examples: [
    'slipway network keys create my-net ci --expires-after 24h',
    "slipway network keys create my-net reader --method 'eth_get*' --method eth_call",
  ],
  run: createKey,
};

const revoke: CommandSpec = {
  usage: 'revoke <network> <name>',
  summary: 'Revoke a key of a network. Its URLs stop working at once, and never work again.',
  examples: ['slipway network keys revoke my-net ci'],
  async run({ client: connect, io, ui }, { args: [network = '', name = ''] }) {
    const client = await connect();
    const { id } = await findNetwork(client, network);
    const key = await client.networks.revokeKey({ id, name }, { signal: io.signal });
    ui.object(key, `The key "${name}" is revoked.\n`);
  },
};

const keys: CommandSpec = {
  usage: 'keys',
  summary: 'Create, list and revoke keys with names for the RPC URLs of a network.',
  children: [list, create, revoke],
};

export const feature: CliFeature = { networkCommands: [keys], kinds: [rpcKeyKind] };

const columns = [
  { title: 'name', value: ({ name }: RpcKey) => name },
  { title: 'state', value: ({ state }: RpcKey) => state },
  { title: 'expires', value: ({ expiresAt = 'never' }: RpcKey) => expiresAt },
  { title: 'methods', value: ({ methods }: RpcKey) => methods?.join(', ') ?? 'all' },
  { title: 'url', value: ({ endpoints, message = '' }: RpcKey) => endpoints?.rpc ?? message },
];

async function createKey(
  { client: connect, io, ui }: Context,
  { args: [network = '', name = ''], options }: Call,
): Promise<void> {
  const client = await connect();
  const { id } = await findNetwork(client, network);
  const methods = options.list('method');
  const expires = options.text('expiresAfter');
  const key = await client.networks.createKey(
    id,
    {
      name,
      ...(methods.length > 0 ? { methods } : {}),
      ...(expires === undefined ? {} : { expiresAt: timeAfter(io.clock.nowMs(), expires) }),
    },
    { signal: io.signal },
  );
  if (key.state !== 'Active') ui.note(key.message ?? 'It has no URL yet: list the keys in a moment.');
  ui.answer(key, `${key.endpoints?.rpc ?? ''}\n`);
}

function timeAfter(nowMs: number, duration: string): string {
  return `${new Date(nowMs + parseDurationMs(duration, '--expires-after')).toISOString().slice(0, 19)}Z`;
}
