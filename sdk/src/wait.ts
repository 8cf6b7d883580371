import { isSlipwayError, SlipwayError } from './error.ts';
import type { Groups } from './generated/groups.ts';
import type { Network, Open } from './generated/types.ts';
import { ifPassing, type Limits, startLimit } from './limit.ts';
import { type Runtime, sleep } from './runtime.ts';
import type { Events, SlipwayEvent } from './streams/events.ts';

/** The state to wait for, or `Deleted`: the network is gone. */
export type AwaitedState = Open<'Pending' | 'Operational' | 'Stopping' | 'Stopped' | 'Error' | 'Deleted'>;

/** How far a network is. */
export interface Step {
  state: string;
  message: string;
  currentStep: number | undefined;
  totalSteps: number | undefined;
  network: Network;
}

export interface WaitOptions extends Limits {
  /**
   * Called with the first observation, and whenever state, message or step differ from the last one. What it throws ends
   * the wait.
   */
  onStep?: ((step: Step) => void) | undefined;
  /**
   * `events` holds a stream open and misses no step; without one, as when the budget of streams is spent, it goes on by
   * polling. `polling` holds no connection, of which a page has six on HTTP/1.1. `events` when absent.
   */
  by?: 'events' | 'polling' | undefined;
  /** Time between two observations by polling; 1,000 when absent. */
  intervalMs?: number | undefined;
  workspace?: string | undefined;
}

export interface WaitFor {
  /** Until it is gone: what was last seen of it, undefined when it was gone before. */
  (networkId: string, state: 'Deleted', options?: WaitOptions): Promise<Network | undefined>;
  (
    networkId: string,
    state: AwaitedState | ((network: Network) => boolean),
    options?: WaitOptions,
  ): Promise<Network>;
}

/** What a wait uses. */
export interface WaitDeps {
  networks: Groups['networks'];
  events: Events;
  runtime: Runtime;
}

interface Wait {
  id: string;
  isDone(network: Network): boolean;
  /** Whether a network in state Error ends the wait. */
  endsOnError: boolean;
  isForDeletion: boolean;
  wakes: boolean;
  options: WaitOptions;
  signal: AbortSignal;
}

/** A network as it is now; undefined when there is none. */
type Observations = AsyncGenerator<Network | undefined, void, undefined>;

/**
 * Waits for a network. Rejects with SlipwayError: `NetworkError` as soon as the network is in state Error, `NotFound`
 * when it does not exist and is not waited to be gone, `Timeout`. Failures that pass, such as a restart of the service, do not end it. Waiting for
 * Operational wakes a stopped network; waiting for anything else does not count as activity.
 */
export function createWaitFor(deps: WaitDeps): WaitFor {
  function waitFor(id: string, state: 'Deleted', options?: WaitOptions): Promise<Network | undefined>;
  function waitFor(
    id: string,
    state: AwaitedState | ((network: Network) => boolean),
    options?: WaitOptions,
  ): Promise<Network>;
  async function waitFor(
    id: string,
    state: AwaitedState | ((network: Network) => boolean),
    options: WaitOptions = {},
  ): Promise<Network | undefined> {
    const { signal, stop } = startLimit(deps.runtime, options, (timeoutMs) => timedOut(id, state, timeoutMs));
    const wait: Wait = {
      id,
      options,
      isDone: typeof state === 'function' ? state : (network) => stateOf(network) === state,
      endsOnError: typeof state === 'string' && state !== 'Error' && state !== 'Deleted',
      isForDeletion: state === 'Deleted',
      wakes: state === 'Operational',
      signal,
    };
    try {
      return await outcomeOf(wait, observe(deps, wait));
    } finally {
      stop();
    }
  }
  return waitFor;
}

async function outcomeOf(wait: Wait, observations: Observations): Promise<Network | undefined> {
  const reportStep = createStepReporter(wait.options);
  let last: Network | undefined;
  for await (const network of observations) {
    if (network === undefined) break;
    last = network;
    reportStep(network);
    if (wait.isDone(network)) return network;
    if (wait.endsOnError && stateOf(network) === 'Error') throw failed(network);
  }
  if (wait.isForDeletion) return last;
  throw new SlipwayError(`network ${wait.id} does not exist`, { status: 404, reason: 'NotFound' });
}

async function* observe(deps: WaitDeps, wait: Wait): Observations {
  if (wait.options.by === 'polling') return yield* poll(deps, wait);
  if (wait.wakes) {
    const first = await lookAt(deps.networks, wait)().catch((error) => ifPassing(error, wait.signal));
    // It is not woken yet, and events do not wake it.
    if (first === 'later') return yield* poll(deps, wait);
    yield first;
  }
  try {
    yield* followEvents(deps, wait);
  } catch (error) {
    if (wait.signal.aborted) throw wait.signal.reason;
    if (!isSlipwayError(error)) throw error;
    // What stays wrong is found there as well.
    yield* poll(deps, wait);
  }
}

/** Everything that happens to the network, in order. Throws SlipwayError when there is no stream. */
async function* followEvents({ events }: WaitDeps, { id, signal, options }: Wait): Observations {
  const { workspace } = options;
  let isKnown = false;
  let failure: SlipwayError | undefined;
  const lost = new AbortController();
  const stream = events.stream({
    types: ['network.*'],
    selector: `id == ${id}`,
    workspace,
    signal: AbortSignal.any([signal, lost.signal]),
    onReconnect(error) {
      // A second failure in a row: polling needs no place for a stream.
      if (error && failure) lost.abort(error);
      failure = error;
    },
  });
  for await (const event of stream) {
    failure = undefined;
    if (event.type === 'stream.reset') isKnown = false;
    if (event.type === 'network.deleted' || (event.type === 'stream.ready' && !isKnown)) yield undefined;
    if (!isOfNetwork(event)) continue;
    isKnown = true;
    yield event.object;
  }
}

function isOfNetwork(event: SlipwayEvent): event is SlipwayEvent & { object: Network } {
  return event.type.startsWith('network.');
}

async function* poll({ networks, runtime }: WaitDeps, wait: Wait): Observations {
  const look = wait.wakes ? lookAt(networks, wait) : lookInList(networks, wait);
  for (;;) {
    const found = await look().catch((error) => ifPassing(error, wait.signal));
    if (found !== 'later') yield found;
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

function createStepReporter({ onStep }: WaitOptions): (network: Network) => void {
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
