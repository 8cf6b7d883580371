import type { Recording } from '../../../sdk/src/generated/types.ts';
import { unknownValue } from '../../../sdk/src/unknownValue.ts';
import { addressOf } from '../../contract/address.ts';
import { writeNew } from '../../io/input.ts';
import { fieldsText } from '../../io/table.ts';
import { jsonText } from '../../io/terminal.ts';
import type { Client } from '../../lib/client.ts';
import type { Context } from '../../lib/context.ts';
import { fail } from '../../lib/failure.ts';
import { atMost, findNetwork, findRecording, namesOfNetworks } from '../../lib/resolve.ts';
import { type Call, type CommandSpec, waitOptions } from '../../lib/spec.ts';
import { type Wait, waitUntil } from '../../lib/wait.ts';
import { ageOf } from '../../network/show.ts';

export const recordingCommand: CommandSpec = {
  usage: 'recording',
  summary: 'Record what an account does on networks.',
  children: [
    {
      usage: 'start <address> <network...>',
      summary: 'Start recording what an account does, on any number of networks.',
      options: [
        { flags: '--name <name>', text: 'Name of the recording (generated).' },
        { flags: '--label <key=value>', text: 'Add a label; may be repeated.', isMany: true },
        ...waitOptions,
      ],
      examples: [
        'slipway recording start 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 my-net other-net --name upgrade',
      ],
      run: start,
    },
    {
      usage: 'stop <recording>',
      summary: 'Stop a recording.',
      options: waitOptions,
      examples: ['slipway recording stop upgrade --wait'],
      run: stop,
    },
    {
      usage: 'export <recording>',
      summary: 'Export a recording as a document that "slipway replay" accepts.',
      options: [{ flags: '-o, --output <path>', text: 'New file to write (standard output).' }],
      examples: ['slipway recording export upgrade -o upgrade.json'],
      run: exportDocument,
    },
    {
      usage: 'list',
      summary: 'List recordings, newest first.',
      options: [
        { flags: '--address <address>', text: 'Only recordings of this account.' },
        { flags: '--network <network>', text: 'Only on this network.' },
        { flags: '--state <state>', text: 'Only in this state.', choices: ['recording', 'recorded'] },
        { flags: '--limit <number>', text: 'Maximum number of items.', least: 1 },
      ],
      examples: ['slipway recording list --state recording'],
      run: list,
    },
    {
      usage: 'get <recording>',
      summary: 'Show a recording.',
      options: [{ flags: '--data', text: 'With --json: include the recorded transactions.' }],
      examples: ['slipway recording get upgrade'],
      async run(context, { args: [given = ''], options }) {
        const client = await context.client();
        const recording = await findRecording(client, given);
        const { signal } = context.io;
        await show(
          context,
          options.isSet('data') ? await client.recordings.get(recording.id, { signal }) : recording,
        );
      },
    },
    {
      usage: 'delete <recording>',
      summary: 'Delete a recording with everything that it captured.',
      examples: ['slipway recording delete upgrade'],
      async run({ io, ui, client }, { args: [given = ''] }) {
        const sdk = await client();
        const { id, name = id } = await findRecording(sdk, given);
        await sdk.recordings.delete(id, { signal: io.signal });
        ui.item({ id, isDeleted: true }, `deleted ${name}`);
      },
    },
  ],
};

async function start(context: Context, { args: [account = '', ...names], options }: Call): Promise<void> {
  if (names.length === 0) throw fail('usage', 'Name at least one network.', 'See: slipway network list');
  const { io, ui } = context;
  const client = await context.client();
  const networkIds = await Promise.all(names.map(async (name) => (await findNetwork(client, name)).id));
  const userAddress = await addressOf(context, account);
  const labels = options.pairs('label');
  const body = {
    name: options.text('name'),
    userAddress,
    networkIds,
    ...(labels ? { metadata: { labels } } : {}),
  };
  const { recordingId, message } = await client.recordings.start(body, { signal: io.signal });
  ui.note(message);
  if (options.isSet('wait')) {
    await waitUntil(context, recordingWait(client, recordingId, ['recording', 'recorded']), options);
  }
  await show(context, await client.recordings.get(recordingId, { signal: io.signal }));
}

async function stop(context: Context, { args: [given = ''], options }: Call): Promise<void> {
  const { io } = context;
  const client = await context.client();
  const { id: recordingId } = await findRecording(client, given);
  const recording = await client.recordings.stop({ recordingId }, { signal: io.signal });
  if (!options.isSet('wait')) return await show(context, { ...recording, recorded_data: undefined });
  await waitUntil(context, recordingWait(client, recordingId, ['recorded']), options);
  const { recorded_data: _data, ...complete } = await client.recordings.get(recordingId, {
    signal: io.signal,
  });
  await show(context, complete);
}

/** Waits until the recording on each network is in one of the states. */
function recordingWait(client: Client, id: string, states: readonly string[]): Wait {
  return {
    what: `recording ${id}`,
    follow: `See: slipway recording get ${id}`,
    async look(signal) {
      const { state, networks = [], message } = await client.recordings.get(id, { signal });
      const all = networks.length > 0 ? networks.map((network) => network.state) : [state];
      const done = all.filter((one) => states.includes(one)).length;
      return {
        text: `${id}: ${states[0]} on ${done}/${all.length}${message ? `: ${message}` : ''}`,
        step: { type: 'step', id, state, message, networks },
        isDone: done === all.length,
      };
    },
  };
}

async function exportDocument(
  { io, ui, client }: Context,
  { args: [given = ''], options }: Call,
): Promise<void> {
  const sdk = await client();
  const { id } = await findRecording(sdk, given);
  const document = await sdk.recordings.getDocument(id, { signal: io.signal });
  const text = `${jsonText(document, 2)}\n`;
  const path = options.text('output');
  if (path === undefined) return ui.raw(text);
  await writeNew(path, text);
  ui.note(`Wrote ${path}.`);
}

async function list(context: Context, { options }: Call): Promise<void> {
  const { io, ui } = context;
  const sdk = await context.client();
  const [network, state] = [options.text('network'), options.text('state')];
  const account = options.text('address');
  const query = {
    userAddress: account === undefined ? undefined : await addressOf(context, account, { what: '--address' }),
    state: state === undefined ? undefined : unknownValue(state),
    networkId: network === undefined ? undefined : (await findNetwork(sdk, network)).id,
  };
  const items = await sdk.recordings.list(query, { signal: io.signal });
  const nowMs = io.clock.nowMs();
  const names = await namesOfNetworks(sdk);
  await ui.list(atMost(each(items), options.wholeNumber('limit')), [
    { title: 'name', value: ({ id, name = id }) => name },
    { title: 'state', value: ({ state }) => state },
    { title: 'account', value: ({ user_address }) => user_address },
    { title: 'networks', value: ({ network_ids }) => network_ids.map(names.of).join(', ') },
    { title: 'age', value: ({ created_at }) => ageOf(created_at, nowMs) },
  ]);
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

async function show({ ui, client }: Context, recording: Recording): Promise<void> {
  const names = await namesOfNetworks(await client());
  const {
    id,
    name,
    state,
    message,
    user_address,
    network_ids,
    networks = [],
    start_timestamp,
    end_timestamp,
  } = recording;
  const count = networks.reduce((sum, { transactions }) => sum + transactions, 0);
  ui.object(
    recording,
    fieldsText([
      ['Name', name],
      ['Id', id],
      ['State', state],
      ['Message', message],
      ['Account', user_address],
      ['Networks', network_ids.map(names.of).join(', ')],
      ['Transactions', String(count)],
      ['Started', start_timestamp],
      ['Ended', end_timestamp],
    ]),
  );
}
