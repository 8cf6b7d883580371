import type { CliFeature } from '../../../cli/feature.ts';
import type { Client } from '../../../cli/lib/client.ts';
import { fail } from '../../../cli/lib/failure.ts';
import { ours } from '../../../cli/lib/ours.ts';
import type { CommandSpec } from '../../../cli/lib/spec.ts';
import type { AddressName } from '../../../sdk/src/generated/types.ts';
import { addressesNamed } from '../api/nameKey.ts';
import { addressNameKind } from './kind.ts';

const list: CommandSpec = {
  usage: 'list',
  summary: 'List the addresses that have names.',
  examples: ['slipway address list'],
  async run({ client: connect, io, ui }) {
    const client = await connect();
    const { items } = await ours(client.addresses.list({ signal: io.signal }), 'items');
    await ui.list(items, [
      { title: 'name', value: ({ name }: AddressName) => name },
      { title: 'address', value: ({ address }) => address },
      { title: 'note', value: ({ note = '' }) => note },
    ]);
  },
};

const set: CommandSpec = {
  usage: 'set <address> <name>',
  summary: 'Name an address, or give it another name.',
  details:
    'Other commands then take the name where they take an address, and the console shows it in its place.',
  options: [{ flags: '--note <text>', text: 'What else there is to know (none).' }],
  examples: [
    'slipway address set 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 treasury',
    "slipway address set 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 treasury --note 'Safe of the finance team'",
  ],
  async run({ client: connect, io, ui }, { args: [address = '', name = ''], options }) {
    const client = await connect();
    const note = options.text('note');
    const body = { name, ...(note === undefined ? {} : { note }) };
    const entry = await client.addresses.set(address, body, { signal: io.signal });
    ui.object(entry, `${entry.address} is called "${entry.name}".\n`);
  },
};

const remove: CommandSpec = {
  usage: 'remove <address>',
  summary: 'Remove an address from the address book, by its name or itself.',
  examples: ['slipway address remove treasury'],
  async run({ client: connect, io, ui }, { args: [given = ''] }) {
    const client = await connect();
    const address = /^0x/i.test(given) ? given : await requireNamed(client, given, io.signal);
    const entry = await client.addresses.remove(address, { signal: io.signal });
    ui.object(entry, `${entry.address} is no longer called "${entry.name}".\n`);
  },
};

const address: CommandSpec = {
  usage: 'address',
  summary: 'Name addresses, for everybody in the workspace.',
  children: [list, set, remove],
};

export const feature: CliFeature = {
  commands: [address],
  kinds: [addressNameKind],
  addressNamed,
  named: {
    address: async function* ({ addresses }) {
      yield* (await addresses.list()).items;
    },
  },
};

/** The address with this name, in letters of any case. kubectl can give two addresses one name: that is an error that shows both. */
async function addressNamed(client: Client, given: string, signal: AbortSignal): Promise<string | undefined> {
  const { items } = await ours(client.addresses.list({ signal }), 'items');
  const found = addressesNamed(items, given);
  if (found.length < 2) return found[0];
  throw fail(
    'conflict',
    `${found.length} addresses are called "${given}": ${found.join(', ')}.`,
    'Use the address.',
  );
}

async function requireNamed(client: Client, given: string, signal: AbortSignal): Promise<string> {
  const found = await addressNamed(client, given, signal);
  if (found !== undefined) return found;
  throw fail('notFound', `No address is called "${given}" in this workspace.`, 'See: slipway address list');
}
