import type { NetworkSpec } from '../../../sdk/src/generated/types.ts';
import type { Client } from '../../lib/client.ts';
import type { Context } from '../../lib/context.ts';
import { fail } from '../../lib/failure.ts';
import { findNetwork, findNetworkIfAny } from '../../lib/resolve.ts';
import { type Call, type CommandSpec, waitOptions } from '../../lib/spec.ts';
import { waitUntil } from '../../lib/wait.ts';
import { changeNetwork } from '../../network/change.ts';
import { createOptions, networkBody } from '../../network/create.ts';
import { createKey, deleteKey, noteKept } from '../../network/key.ts';
import { deletionWait, networkWait, readNetwork } from '../../network/look.ts';
import { showNetwork } from '../../network/show.ts';

const create: CommandSpec = {
  usage: 'create <name>',
  summary: 'Create a network.',
  details: 'For all other settings, use a manifest: slipway apply -f network.yaml',
  options: [...createOptions, ...waitOptions],
  examples: [
    'slipway network create my-net --new-key --wait',
    'slipway network create ci-$RUN --type Arbitrum --expires-after 2h --label pipeline=nightly --wait --timeout 5m',
    'slipway network create fork --key hot-key --fork latest --wait',
  ],
  run: createNetwork,
};

const update: CommandSpec = {
  usage: 'update <network>',
  summary: 'Change fields of a network, and keep the others.',
  details: `The running chain takes over block time and gas limit. For changes that start a new chain, use a manifest: slipway diff -f
and slipway apply -f.`,
  options: [
    { flags: '--persistent', text: 'Keep it running, within the quota.' },
    { flags: '--no-persistent', text: 'Let it stop when it is idle.' },
    {
      flags: '--idle-after <duration>',
      text: 'Stop it when it has not been used for this time; "" removes the setting.',
    },
    {
      flags: '--expires-after <duration>',
      text: 'Delete it this time after its creation; "" removes the setting.',
    },
    { flags: '--block-time <seconds>', text: 'Seconds between blocks.', least: 1 },
    { flags: '--gas-limit <gas>', text: 'Block gas limit.', least: 1 },
    {
      flags: '--history <blocks>',
      text: 'Keep the states of so many blocks, also over restarts.',
      least: 1,
    },
    {
      flags: '--label <key=value>',
      text: 'Set a label, and keep the others; may be repeated.',
      isMany: true,
    },
    ...waitOptions,
  ],
  examples: [
    'slipway network update my-net --persistent',
    'slipway network update my-net --block-time 2 --wait',
  ],
  run: updateNetwork,
};

const remove: CommandSpec = {
  usage: 'delete <network...>',
  summary: 'Delete networks with their data.',
  options: [...waitOptions, { flags: '--ignore-missing', text: 'Succeed for networks that do not exist.' }],
  examples: ['slipway network delete my-net --wait', 'slipway network delete "ci-$RUN" --ignore-missing'],
  run: deleteNetworks,
};

export const manageCommands: readonly CommandSpec[] = [create, update, remove];

async function createNetwork(context: Context, { args: [name = ''], options }: Call): Promise<void> {
  const client = await context.client();
  const body = networkBody(name, options);
  const keyId = options.isSet('newKey') ? await newKey(context, client, name) : undefined;
  const network = await client.networks.create(body, { signal: context.io.signal }).catch(async (error) => {
    if (keyId !== undefined) await deleteKey(context, name, keyId);
    throw error;
  });
  context.ui.note(`Created network "${network.name}" (${network.id}).`);
  if (!options.isSet('wait')) return showNetwork(context, network);
  await waitUntil(context, networkWait(client, network, { state: 'Operational' }), options);
  showNetwork(context, (await readNetwork(client, network)) ?? network);
}

/** The id of a secret that was created for the network. Of a network that is there already, nothing is created. */
async function newKey(context: Context, client: Client, name: string): Promise<string | undefined> {
  if (await findNetworkIfAny(client, name)) {
    const remedy = `Use another name, or delete it: slipway network delete ${name}`;
    throw fail('conflict', `There is a network "${name}" already.`, remedy);
  }
  return createKey(context, client, name);
}

async function updateNetwork(context: Context, { args: [name = ''], options }: Call): Promise<void> {
  const client = await context.client();
  const labels = options.pairs('label');
  const { before, after } = await changeNetwork(client, name, ({ spec, metadata }) => ({
    spec: changedSpec(spec, options),
    ...(labels ? { labels: { ...metadata.labels, ...labels } } : {}),
  }));
  const rev = after.metadata.rev ?? 0;
  context.ui.note(
    rev === before.metadata.rev ? `Network "${after.name}" is as asked for.` : `Changed "${after.name}".`,
  );
  if (!options.isSet('wait')) return showNetwork(context, after);
  const isTakenUp = ({ status }: typeof after) => (status?.observedGeneration ?? rev) >= rev;
  await waitUntil(context, networkWait(client, after, { state: 'Operational', isTakenUp }), options);
  showNetwork(context, (await readNetwork(client, after)) ?? after);
}

function changedSpec(spec: NetworkSpec, options: Call['options']): NetworkSpec {
  const persistent = options.flag('persistent');
  const [idleAfter, expiresAfter] = [options.text('idleAfter'), options.text('expiresAfter')];
  const wholeNumbers = (['blockTime', 'gasLimit', 'history'] as const).map((name) => [
    name,
    options.wholeNumber(name),
  ]);
  const member = spec.chain.type.toLowerCase();
  const chain = Object.entries(spec.chain).find(([name]) => name === member)?.[1];
  const engine = Object.fromEntries(wholeNumbers.filter(([, value]) => value !== undefined));
  const inner = typeof chain === 'object' ? { ...chain, ...engine } : engine;
  return {
    ...spec,
    ...(persistent === undefined ? {} : { persistent }),
    ...(idleAfter === undefined ? {} : { idleAfter: idleAfter || undefined }),
    ...(expiresAfter === undefined ? {} : { expiresAfter: expiresAfter || undefined }),
    chain: { ...spec.chain, [member]: inner },
  };
}

async function deleteNetworks(context: Context, { args, options }: Call): Promise<void> {
  const client = await context.client();
  const isLenient = options.isSet('ignoreMissing');
  if (args.length === 0) throw fail('usage', 'Name at least one network.', 'See: slipway network list');
  for (const name of args) {
    const network = await (isLenient ? findNetworkIfAny : findNetwork)(client, name);
    if (!network) continue;
    const deleted = await client.networks.delete(network.id, { signal: context.io.signal });
    if (options.isSet('wait')) await waitUntil(context, deletionWait(client, network), options);
    context.ui.item(deleted, `deleted ${network.name}`);
    noteKept(context, network);
  }
}
