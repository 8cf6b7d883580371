import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { AppError } from '../../core/lib/errors.ts';
import type { ReconcileResult } from '../runtime/controller.ts';
import type { LayerZeroDeps } from './deps.ts';
import type { LayerZeroDecision, Memory, RunOutcome, WireOrder } from './facts.ts';
import { wire } from './run.ts';

const failedMs = 60_000;

/** The work on the chains, by the uids of LayerZero networks. */
export interface WireRuns {
  memoryOf(uid: string): Memory;
  /** Does what was last ordered; `onNews` is called whenever the memory changes. */
  reconcile(uid: string, signal: AbortSignal, onNews: () => void): Promise<ReconcileResult>;
  /** Replaces the order; the answer is whether there is something to run. */
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
    async reconcile(uid, signal, onNews) {
      const [network] = deps.caches.networks.byIndex('uid', uid);
      const order = orders.get(uid);
      if (!network || !order) return {};
      const memory = memoryOf(uid);
      const outcome = await runOnce(network, order, { deps, memory, underWay, signal, onNews });
      if (!outcome) return signal.aborted ? {} : { requeueAfterMs: 0 };
      memory.outcome = { key: order.key, ...outcome };
      onNews();
      return resultOf(outcome);
    },
    order(uid, { order }) {
      const present = underWay.get(uid);
      // What is asked for meanwhile does not wait for a member that does not answer.
      if (present && present.key !== order?.key) present.stop();
      if (!order || order.endpoints.length + order.unverified.length === 0) {
        orders.delete(uid);
        return false;
      }
      orders.set(uid, order);
      // An order that was tried already comes again by itself.
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
  onNews(): void;
}

/** Undefined when the run was stopped. */
async function runOnce(network: Stored<NetworkResource>, order: WireOrder, context: RunContext) {
  const { deps, memory, underWay, onNews } = context;
  const { uid } = network.metadata;
  const stopping = new AbortController();
  underWay.set(uid, { key: order.key, stop: () => stopping.abort() });
  const signal = AbortSignal.any([context.signal, stopping.signal]);
  const outcome = await wire(network, order, { deps, memory, signal, onEndpoint: onNews });
  underWay.delete(uid);
  return signal.aborted ? undefined : outcome;
}

function resultOf({ state, message }: Omit<RunOutcome, 'key'>): ReconcileResult {
  if (state === 'retry') throw new AppError('Unavailable', message ?? 'is tried again');
  return state === 'failed' ? { requeueAfterMs: failedMs } : {};
}
