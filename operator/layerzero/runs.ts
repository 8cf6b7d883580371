import type { NetworkResource } from '../../core/api/resources/network.ts';
import { lookMs } from '../../core/deploy/anchor.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { AppError } from '../../core/lib/errors.ts';
import { doubledMs } from '../../core/lib/work/backoff.ts';
import type { ReconcileResult } from '../runtime/controller.ts';
import { isIntact } from './anchors.ts';
import type { LayerZeroDeps } from './deps.ts';
import type { LayerZeroDecision, Memory, RunOutcome, WireOrder } from './facts.ts';
import { wire } from './run.ts';

/** A failed step is sent again less and less often, because each attempt costs gas. */
const backoff = { baseMs: 60_000, maxMs: 600_000 };

/** The work on the chains, by the uid of the LayerZero network. */
export interface WireRuns {
  memoryOf(uid: string): Memory;
  /**
   * Executes the last order, or checks whether the chains still have what it did. Calls `onChange` whenever the memory changes.
   */
  reconcile(uid: string, signal: AbortSignal, onChange: () => void): Promise<ReconcileResult>;
  /** Replaces the order. Returns whether a run must be queued. */
  order(uid: string, decision: LayerZeroDecision): boolean;
  forget(uid: string): void;
}

export function createWireRuns(deps: LayerZeroDeps): WireRuns {
  const memories = new Map<string, Memory>();
  const orders = new Map<string, { order: WireOrder; isDue: boolean }>();
  const underWay: UnderWay = new Map();

  const memoryOf = (uid: string): Memory => {
    const memory = memories.get(uid) ?? { endpoints: new Map(), verified: new Map() };
    memories.set(uid, memory);
    return memory;
  };

  return {
    memoryOf,
    async reconcile(uid, signal, onChange) {
      const [network] = deps.caches.networks.byIndex('uid', uid);
      const { order, isDue = false } = orders.get(uid) ?? {};
      if (!network || !order) return {};
      if (!isDue && (await isIntactOn(network, order, { deps, signal }))) return { requeueAfterMs: lookMs };
      const memory = memoryOf(uid);
      const outcome = await runOnce(network, order, { deps, memory, underWay, signal, onChange });
      if (!outcome) return signal.aborted ? {} : { requeueAfterMs: 0 };
      const ended = counted(memory, { key: order.key, ...outcome });
      // Until it is known what was undone, the network stays as it was.
      if (!isDue && ended.state === 'retry') return resultOf(ended);
      memory.outcome = ended;
      onChange();
      return resultOf(ended);
    },
    order(uid, { order: due, settled: order = due }) {
      const present = underWay.get(uid);
      // A new order must not wait for a member that does not answer.
      if (present && present.key !== order?.key) present.stop();
      if (!order || order.endpoints.length + order.unverified.length === 0) {
        orders.delete(uid);
        return false;
      }
      // A settled order is queued to be checked again, and one that has already been tried is retried by its queue.
      const isKnown = due ? [present?.key, memoryOf(uid).outcome?.key].includes(order.key) : orders.has(uid);
      orders.set(uid, { order, isDue: due !== undefined });
      return !isKnown;
    },
    forget(uid) {
      underWay.get(uid)?.stop();
      memories.delete(uid);
      orders.delete(uid);
    },
  };
}

function isIntactOn(
  { metadata: { namespace } }: Stored<NetworkResource>,
  order: WireOrder,
  look: { deps: LayerZeroDeps; signal: AbortSignal },
): Promise<boolean> {
  return isIntact(order, { ...look, namespace });
}

type UnderWay = Map<string, { key: string; stop(): void }>;

interface RunContext {
  deps: LayerZeroDeps;
  memory: Memory;
  underWay: UnderWay;
  signal: AbortSignal;
  onChange(): void;
}

/** Undefined when the run was stopped. */
async function runOnce(network: Stored<NetworkResource>, order: WireOrder, context: RunContext) {
  const { deps, memory, underWay, onChange } = context;
  const { uid } = network.metadata;
  const stopping = new AbortController();
  underWay.set(uid, { key: order.key, stop: () => stopping.abort() });
  const signal = AbortSignal.any([context.signal, stopping.signal]);
  const outcome = await wire(network, order, { deps, memory, signal, onEndpoint: onChange });
  underWay.delete(uid);
  return signal.aborted ? undefined : outcome;
}

/** With how often the same order failed before. */
function counted({ outcome: before }: Memory, outcome: RunOutcome): RunOutcome {
  const isSame = before?.key === outcome.key && before.state === 'failed';
  return { ...outcome, failures: isSame ? (before.failures ?? 0) + 1 : 0 };
}

function resultOf({ state, message, failures = 0 }: RunOutcome): ReconcileResult {
  if (state === 'retry') throw new AppError('Unavailable', message ?? 'will be retried');
  return {
    requeueAfterMs: state === 'failed' ? doubledMs(failures + 1, backoff) : lookMs,
  };
}
