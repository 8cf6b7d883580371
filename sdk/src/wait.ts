import { isSlipwayError, SlipwayError } from './error.ts';
import type { Groups } from './generated/groups.ts';
import type { Network } from './generated/types.ts';
import { isPassing } from './retry.ts';
import { type Runtime, sleep } from './runtime.ts';

/** The state to wait for, or `Deleted`: the network is gone. */
export type AwaitedState = 'Operational' | 'Stopped' | 'Error' | 'Deleted' | (string & {});

/** How far a network is. */
export interface Step {
  state: string;
  message: string;
  currentStep: number | undefined;
  totalSteps: number | undefined;
  network: Network;
}

export interface WaitOptions {
  signal?: AbortSignal | undefined;
  /** No limit when absent. */
  timeoutMs?: number | undefined;
  /** Called with the first observation, and whenever state, message or step differ from the last one. */
  onStep?: ((step: Step) => void) | undefined;
  /** Time between two observations; 1,000 when absent. */
  intervalMs?: number | undefined;
  workspace?: string | undefined;
}

export type WaitFor = (
  networkId: string,
  state: AwaitedState | ((network: Network) => boolean),
  options?: WaitOptions,
) => Promise<Network>;

interface Wait {
  id: string;
  isDone(network: Network): boolean;
  /** Whether a network in state Error ends the wait. */
  endsOnError: boolean;
  isForDeletion: boolean;
  options: WaitOptions;
  signal: AbortSignal;
}

/**
 * Waits for a network. Rejects with SlipwayError: `NetworkError` as soon as the network is in state Error, `NotFound`
 * when it does not exist, `Timeout`. Failures that pass, such as a restart of the service, do not end it. Waiting for
 * Operational wakes a stopped network; waiting for anything else does not count as activity.
 */
export function createWaitFor(networks: Groups['networks'], runtime: Runtime): WaitFor {
  return async (id, state, options = {}) => {
    const limit = new AbortController();
    const { timeoutMs, signal } = options;
    const stop =
      timeoutMs === undefined
        ? () => {}
        : runtime.after(timeoutMs, () => limit.abort(timedOut(id, state, timeoutMs)));
    const wait: Wait = {
      ...{ id, options },
      isDone: typeof state === 'function' ? state : (network) => stateOf(network) === state,
      endsOnError: typeof state === 'string' && state !== 'Error' && state !== 'Deleted',
      isForDeletion: state === 'Deleted',
      signal: signal ? AbortSignal.any([signal, limit.signal]) : limit.signal,
    };
    const look = state === 'Operational' ? lookAt(networks, wait) : lookInList(networks, wait);
    try {
      return await observe(wait, look, runtime);
    } finally {
      stop();
    }
  };
}

async function observe(
  wait: Wait,
  look: () => Promise<Network | undefined>,
  runtime: Runtime,
): Promise<Network> {
  const tell = createTeller(wait.options);
  let last: Network | undefined;
  for (;;) {
    const found = await look().catch((error) => ifPassing(error, wait.signal));
    if (found === undefined) return gone(wait, last);
    if (found !== 'later') {
      last = found;
      tell(found);
      if (wait.isDone(found)) return found;
      if (wait.endsOnError && stateOf(found) === 'Error') throw failed(found);
    }
    await sleep(runtime, wait.options.intervalMs ?? 1_000, wait.signal);
  }
}

/** Reads the network, which counts as activity. */
function lookAt(networks: Groups['networks'], { id, signal, options }: Wait) {
  return () =>
    networks.get(id, { signal, workspace: options.workspace }).catch((error) => {
      if (isSlipwayError(error, 'NotFound')) return undefined;
      throw error;
    });
}

/** Finds the network in the list, which does not wake it: by its name once that is known. */
function lookInList(networks: Groups['networks'], { id, signal, options }: Wait) {
  let name: string | undefined;
  return async () => {
    const query = name === undefined ? {} : { selector: `metadata.name == ${name}` };
    for await (const network of networks.listAll(query, { signal, workspace: options.workspace })) {
      if (network.id !== id) continue;
      name = network.name;
      return network;
    }
    return undefined;
  };
}

function ifPassing(error: unknown, signal: AbortSignal): 'later' {
  if (signal.aborted) throw signal.reason;
  const isLater = isSlipwayError(error) && (isPassing(error) || error.reason === 'Timeout');
  if (isLater) return 'later';
  throw error;
}

function gone({ id, isForDeletion }: Wait, last: Network | undefined): Network {
  if (isForDeletion && last) return last;
  throw new SlipwayError(`network ${id} does not exist`, { status: 404, reason: 'NotFound' });
}

function createTeller({ onStep }: WaitOptions): (network: Network) => void {
  let last = '';
  return (network) => {
    const { message = '', execution } = network.status ?? {};
    const { currentStep, totalSteps } = execution ?? {};
    const step = { state: stateOf(network), message, currentStep, totalSteps };
    const text = JSON.stringify(step);
    if (text !== last) onStep?.({ ...step, network });
    last = text;
  };
}

function stateOf({ status }: Network): string {
  return status?.state ?? 'Pending';
}

function failed({ id, status }: Network): SlipwayError {
  return new SlipwayError(status?.message || `network ${id} is in state Error`, { reason: 'NetworkError' });
}

function timedOut(id: string, state: unknown, timeoutMs: number): SlipwayError {
  const what = typeof state === 'string' ? `not ${state}` : 'not as awaited';
  return new SlipwayError(`network ${id} is ${what} after ${timeoutMs} ms`, { reason: 'Timeout' });
}
