import type { Network } from '../../../sdk/src/generated/types.ts';
import { unknownValue } from '../../../sdk/src/unknownValue.ts';
import type { Client } from '../../lib/client.ts';
import type { Context } from '../../lib/context.ts';
import { findNetwork } from '../../lib/resolve.ts';
import { type Call, type CommandSpec, waitOptions } from '../../lib/spec.ts';
import { waitUntil } from '../../lib/wait.ts';
import { changeNetwork, type MaintenanceAction, withMaintenance } from '../../network/change.ts';
import { type Goal, networkWait, readNetwork } from '../../network/look.ts';
import { showNetwork } from '../../network/show.ts';

const wake: CommandSpec = {
  usage: 'wake <network>',
  summary: 'Start a stopped network.',
  options: waitOptions,
  examples: ['slipway network wake my-net --wait'],
  async run(context, { args: [name = ''], options }) {
    const client = await context.client();
    const found = await findNetwork(client, name);
    const network = await client.networks.wake(found.id, { signal: context.io.signal });
    await finish({ context, client, network, goal: { state: 'Operational' } }, options);
  },
};

const stop: CommandSpec = {
  usage: 'stop <network>',
  summary: 'Stop a network at once; its next use wakes it.',
  details:
    'The data of a persistent network stays. The data of any other network is lost, as with an idle stop.',
  options: waitOptions,
  examples: ['slipway network stop my-net --wait'],
  async run(context, { args: [name = ''], options }) {
    const client = await context.client();
    const found = await findNetwork(client, name);
    const network = await client.networks.stop(found.id, { signal: context.io.signal });
    await finish({ context, client, network, goal: { state: 'Stopped' } }, options);
  },
};

const restart = maintenance('restart', 'Restart', 'Restart the processes of a network.');
const reset = maintenance('reset', 'ResetState', 'Begin a new chain: everything on the old one is lost.');
const resync = maintenance('resync', 'Resync', 'Fork the public chain again, at its latest block.');

const rotate: CommandSpec = {
  usage: 'rotate-keys <network>',
  summary: 'Replace the access keys in the URLs of a network. The old URLs stop working at once.',
  options: [
    {
      flags: '--key <which>',
      text: 'Key to replace (both); may be repeated.',
      choices: ['public', 'admin'],
      isMany: true,
    },
  ],
  examples: ['slipway network rotate-keys my-net', 'slipway network rotate-keys my-net --key admin'],
  async run(context, { args: [name = ''], options }) {
    const client = await context.client();
    const { id } = await findNetwork(client, name);
    const keys = options.list('key').map(unknownValue);
    const network = await client.networks.rotateKeys(id, keys.length > 0 ? { keys } : {}, {
      signal: context.io.signal,
    });
    context.ui.note(`Replaced. The new URLs: slipway network env ${network.name}`);
    showNetwork(context, network);
  },
};

export const controlCommands: readonly CommandSpec[] = [wake, stop, restart, reset, resync, rotate];

function maintenance(name: string, action: MaintenanceAction, summary: string): CommandSpec {
  return {
    usage: `${name} <network>`,
    summary,
    options: waitOptions,
    examples: [`slipway network ${name} my-net --wait`],
    run: (context, call) => maintain(context, call, action),
  };
}

async function maintain(
  context: Context,
  { args: [name = ''], options }: Call,
  action: MaintenanceAction,
): Promise<void> {
  const client = await context.client();
  let nonce = 0;
  const { after } = await changeNetwork(client, name, (network) => {
    const asked = withMaintenance(network, action);
    nonce = asked.nonce;
    return { spec: asked.spec };
  });
  await finish({ context, client, network: after, goal: maintenanceGoal(action, nonce) }, options);
}

/** A network has one request at a time: a later one takes the place of one that has not begun. */
function maintenanceGoal(action: MaintenanceAction, nonce: number): Goal {
  let isSeen = false;
  return {
    state: 'Operational',
    isTakenUp({ status }) {
      isSeen ||= status?.observedMaintenanceNonce === nonce;
      return isSeen;
    },
    hindrance: ({ spec }) =>
      spec.maintenanceRequest?.nonce === nonce
        ? undefined
        : `another request has taken the place of this ${action}, which may not have been done: repeat it`,
  };
}

interface Change {
  context: Context;
  client: Client;
  network: Network;
  goal: Goal;
}

async function finish({ context, client, network, goal }: Change, options: Call['options']): Promise<void> {
  if (!options.isSet('wait')) return showNetwork(context, network);
  await waitUntil(context, networkWait(client, network, goal), options);
  showNetwork(context, (await readNetwork(client, network)) ?? network);
}
