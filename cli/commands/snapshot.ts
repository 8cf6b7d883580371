import type { Snapshot } from '../../sdk/src/generated/types.ts';
import type { Column } from '../io/table.ts';
import { fieldsText } from '../io/table.ts';
import type { Client } from '../lib/client.ts';
import type { Context } from '../lib/context.ts';
import { fail } from '../lib/failure.ts';
import { atMost, findNetwork, findSnapshot, listQuery } from '../lib/resolve.ts';
import { type Call, type CommandSpec, listOptions, waitOptions } from '../lib/spec.ts';
import { type Wait, waitUntil } from '../lib/wait.ts';
import { networkWait, readNetwork } from '../network/look.ts';
import { ageOf, showNetwork } from '../network/show.ts';

export const snapshotCommand: CommandSpec = {
  usage: 'snapshot',
  summary: 'Take snapshots of networks, and revert to them.',
  children: [
    {
      usage: 'create <network> [name]',
      summary: 'Take a snapshot of a running network.',
      options: [
        { flags: '--label <key=value>', text: 'Add a label; may be repeated.', isMany: true },
        ...waitOptions,
      ],
      examples: ['slipway snapshot create my-net before-upgrade --wait'],
      run: create,
    },
    {
      usage: 'list',
      summary: 'List snapshots, including those of deleted networks.',
      options: [{ flags: '--network <network>', text: 'Only snapshots of this network.' }, ...listOptions],
      examples: ['slipway snapshot list', 'slipway snapshot list --network my-net'],
      run: list,
    },
    {
      usage: 'get <snapshot>',
      summary: 'Show a snapshot.',
      examples: ['slipway snapshot get before-upgrade'],
      async run(context, { args: [given = ''] }) {
        show(context, await findSnapshot(await context.client(), given));
      },
    },
    {
      usage: 'revert <network> <snapshot>',
      summary: 'Revert a network to a snapshot: what came after it is lost.',
      options: waitOptions,
      examples: ['slipway snapshot revert my-net before-upgrade --wait'],
      run: revert,
    },
    {
      usage: 'delete <snapshot>',
      summary: 'Delete a snapshot that no network depends on.',
      examples: ['slipway snapshot delete before-upgrade'],
      async run({ io, ui, client }, { args: [given = ''] }) {
        const sdk = await client();
        const { id, name } = await findSnapshot(sdk, given);
        ui.item(await sdk.snapshots.delete(id, { signal: io.signal }), `deleted ${name}`);
      },
    },
  ],
};

async function create(context: Context, { args: [given = '', name], options }: Call): Promise<void> {
  const client = await context.client();
  const network = await findNetwork(client, given);
  const labels = options.pairs('label');
  const body = { name, ...(labels ? { metadata: { labels } } : {}) };
  const snapshot = await client.snapshots.create(network.id, body, { signal: context.io.signal });
  if (!options.isSet('wait')) return show(context, snapshot);
  await waitUntil(context, snapshotWait(client, snapshot), options);
  show(context, await client.snapshots.get(snapshot.id, { signal: context.io.signal }));
}

export function snapshotWait(client: Client, { id, name }: Pick<Snapshot, 'id' | 'name'>): Wait {
  return {
    what: `snapshot "${name}"`,
    follow: `See: slipway snapshot get ${name}`,
    async look(signal) {
      const { status } = await client.snapshots.get(id, { signal });
      const { state = 'Pending', message } = status ?? {};
      return {
        text: `${name}: ${state}${message ? `: ${message}` : ''}`,
        step: { type: 'step', id, snapshot: name, state, message },
        isDone: state === 'Ready',
        problem: state === 'Failed' ? (message ?? 'Failed') : undefined,
      };
    },
  };
}

const columns = (nowMs: number): Column<Snapshot>[] => [
  { title: 'name', value: ({ name }) => name },
  { title: 'network', value: ({ spec }) => spec.network },
  { title: 'state', value: ({ status }) => status?.state ?? 'Pending' },
  { title: 'block', value: ({ status }) => String(status?.block ?? '') },
  { title: 'bytes', value: ({ status }) => String(status?.bytes ?? '') },
  { title: 'age', value: ({ metadata }) => ageOf(metadata.createdAt, nowMs) },
  { title: 'id', value: ({ id }) => id },
];

async function list({ io, ui, client }: Context, { options }: Call): Promise<void> {
  const sdk = await client();
  const query = listQuery(options);
  const given = options.text('network');
  const call = { signal: io.signal };
  const items =
    given === undefined
      ? sdk.snapshots.listAll(query, call)
      : sdk.snapshots.listAllOfNetwork((await findNetwork(sdk, given)).id, query, call);
  await ui.list(atMost(items, query.limit), columns(io.clock.nowMs()));
}

async function revert(context: Context, { args: [given = '', wanted = ''], options }: Call): Promise<void> {
  const client = await context.client();
  const before = await findNetwork(client, given);
  const { id: snapshotId, name, spec } = await findSnapshot(client, wanted);
  if (spec.network !== before.name) {
    const message = `Snapshot "${name}" is of network "${spec.network}", not of "${before.name}".`;
    throw fail('notFound', message, `See: slipway snapshot list --network ${before.name}`);
  }
  const path = { id: before.id, snapshotId };
  const network = await client.snapshots.revert(path, { signal: context.io.signal });
  if (!options.isSet('wait')) return showNetwork(context, network);
  const isTakenUp = ({ status }: typeof before) => status?.enclaveID !== before.status?.enclaveID;
  await waitUntil(context, networkWait(client, network, { state: 'Operational', isTakenUp }), options);
  showNetwork(context, (await readNetwork(client, network)) ?? network);
}

function show({ ui }: Context, snapshot: Snapshot): void {
  const { id, name, spec, status } = snapshot;
  ui.object(
    snapshot,
    fieldsText([
      ['Name', name],
      ['Id', id],
      ['Network', spec.network],
      ['State', status?.state ?? 'Pending'],
      ['Message', status?.message],
      ['Block', status?.block?.toString()],
      ['Bytes', status?.bytes?.toString()],
      ['Taken', status?.takenAt],
    ]),
  );
}
