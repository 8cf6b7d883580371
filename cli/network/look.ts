import type { Network } from '../../sdk/src/generated/types.ts';
import type { Client } from '../lib/client.ts';
import type { Look } from '../lib/look.ts';
import { isMembers } from '../lib/values.ts';
import type { Wait } from '../lib/wait.ts';

/** The network as a list shows it, which does not wake it; undefined when it is gone. */
export async function readNetwork(
  client: Client,
  { id, name }: Named,
  signal?: AbortSignal,
): Promise<Network | undefined> {
  const selector = `metadata.name == ${name}`;
  for await (const network of client.networks.listAll({ selector }, { signal })) {
    if (network.id === id) return network;
  }
  return undefined;
}

interface Named {
  id: string;
  name: string;
}

/** What a wait is for. `after` is what the network was before the change that is waited for. */
export interface Goal {
  state: 'Operational' | 'Stopped';
  /** Whether the service has taken up the change. */
  isTakenUp?: (network: Network) => boolean;
  /** Why the service will not take it up any more. */
  hindrance?: (network: Network) => string | undefined;
}

const takenUp = () => true;

/** Waits until the network is in a state; Error ends it. */
export function networkWait(client: Client, network: Named, goal: Goal): Wait {
  const lookAt = (found: Network | undefined) => (found ? lookOf(found, goal) : gone(network));
  return {
    what: `network "${network.name}"`,
    follow: `See: slipway network watch ${network.name}`,
    look: async (signal) => lookAt(await readNetwork(client, network, signal)),
    async *feed(signal) {
      const selector = `metadata.name == ${network.name}`;
      for await (const { type, object } of client.events.stream({ types: ['network.*'], selector, signal })) {
        if (type === 'stream.ready') yield 'ready';
        else if (isNetwork(object) && object.id === network.id) {
          yield lookAt(type === 'network.deleted' ? undefined : object);
        }
      }
    },
  };
}

function lookOf(found: Network, { state: wanted, isTakenUp = takenUp, hindrance }: Goal): Look {
  const state = found.status?.state ?? 'Pending';
  const isCurrent = isTakenUp(found);
  return {
    text: stateText(found),
    step: stepOf(found),
    isDone: isCurrent && state === wanted,
    problem: isCurrent ? errorIn(found) : hindrance?.(found),
  };
}

function errorIn({ status }: Network): string | undefined {
  return status?.state === 'Error' ? (status.message ?? 'Error') : undefined;
}

function isNetwork(value: unknown): value is Network {
  return (
    isMembers(value) && value.kind === 'Network' && typeof value.id === 'string' && isMembers(value.spec)
  );
}

/** Waits until the network is gone. */
export function deletionWait(client: Client, network: Named): Wait {
  return {
    what: `deletion of network "${network.name}"`,
    follow: `See: slipway network get ${network.name}`,
    async look(signal) {
      const found = await readNetwork(client, network, signal);
      const text = found ? `${network.name}: deleting` : `${network.name}: deleted`;
      return { text, step: { type: 'step', network: network.name, isDeleted: !found }, isDone: !found };
    },
  };
}

function gone({ name }: Named): Look {
  return {
    text: `${name}: deleted`,
    step: { type: 'step', network: name, isDeleted: true },
    isDone: false,
    problem: 'it was deleted meanwhile',
  };
}

/** One line: "my-net: Pending 2/5: pulling the image". */
export function stateText({ name, status }: Network): string {
  const { currentStep, totalSteps, output } = status?.execution ?? {};
  const state = status?.state ?? 'Pending';
  const isUnderWay = state === 'Pending' || state === 'Stopping';
  const steps = isUnderWay && currentStep !== undefined && totalSteps ? ` ${currentStep}/${totalSteps}` : '';
  const message = status?.message || (isUnderWay ? output?.trim().split('\n').at(-1) : undefined);
  return `${name}: ${state}${steps}${message ? `: ${message}` : ''}`;
}

function stepOf({ id, name, status }: Network): object {
  const { state, message, execution } = status ?? {};
  return { type: 'step', id, network: name, state, message, execution };
}
