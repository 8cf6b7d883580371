import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { AppError } from '../../core/lib/errors.ts';
import type { ReconcileResult } from '../runtime/controller.ts';
import type { LayerZeroDeps } from './deps.ts';
import type { LayerZeroDecision, Memory, RunOutcome, WireOrder } from './facts.ts';
import { wire } from './run.ts';

/** A step that failed is sent again: less and less often, because each attempt costs gas. */
const failedMs = 60_000;
const longestFailedMs = 600_000;

/** The work on the chains, by the uid of the LayerZero network. */
export interface WireRuns {
  memoryOf(uid: string): Memory;
  /** Executes the last order. Calls `onChange` whenever the memory changes. */
  reconcile(uid: string, signal: AbortSignal, onChange: () => void): Promise<ReconcileResult>;
  /** Replaces the order. Returns whether a run must be queued. */
  order(uid: string, decision: LayerZeroDecision): boolean;
  forget(uid: string): void;
}

export function createWireRuns(deps: LayerZeroDeps): WireRuns {
  const memories = new Map<string, Memory>();
  const orders = new Map<string, WireOrder>();
  const underWay: UnderWay = new Map();

  function memoryOf(uid: string): Memory {
    const memory = memories.get(uid) ?? { endpoints: new Map(), verified: new Map() };
    memories.set(uid, memory);
    return memory;
  }

  return {
    memoryOf,
    async reconcile(uid, signal, onChange) {
      const [network] = deps.caches.networks.byIndex('uid', uid);
      const order = orders.get(uid);
      if (!network || !order) return {};
      const memory = memoryOf(uid);
      const outcome = await runOnce(network, order, { deps, memory, underWay, signal, onChange });
      if (!outcome) return signal.aborted ? {} : { requeueAfterMs: 0 };
      const isSame = memory.outcome?.key === order.key && memory.outcome.state === 'failed';
      const failures = isSame ? (memory.outcome?.failures ?? 0) + 1 : 0;
      memory.outcome = { key: order.key, failures, ...outcome };
      onChange();
      return resultOf(memory.outcome);
    },
    order(uid, { order }) {
      const present = underWay.get(uid);
      // A new order must not wait for a member that does not answer.
      if (present && present.key !== order?.key) present.stop();
      if (!order || order.endpoints.length + order.unverified.length === 0) {
        orders.delete(uid);
        return false;
      }
      orders.set(uid, order);
      // An order that has already been tried is retried by its queue.
      return present?.key !== order.key && memoryOf(uid).outcome?.key !== order.key;
    },
    forget(uid) {
      underWay.get(uid)?.stop();
      memories.delete(uid);
      orders.delete(uid);
    },
  };
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

function resultOf({ state, message, failures = 0 }: RunOutcome): ReconcileResult {
  if (state === 'retry') throw new AppError('Unavailable', message ?? 'will be retried');
  return state === 'failed' ? { requeueAfterMs: Math.min(longestFailedMs, failedMs * 2 ** failures) } : {};
}
