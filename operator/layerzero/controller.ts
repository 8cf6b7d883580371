import { annotations } from '../../core/api/names.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import { AppError } from '../../core/lib/errors.ts';
import { observeLifecycle } from '../network/lifecycle/lifecycle.ts';
import { writeStatus } from '../network/status/writeStatus.ts';
import { type Controller, type ControllerMetrics, createController } from '../runtime/controller.ts';
import { createWorkQueue, type QueueMetrics } from '../runtime/queue.ts';
import { decide } from './decide.ts';
import type { LayerZeroDeps } from './deps.ts';
import type { LayerZeroDecision, LayerZeroFacts, Memory, WireOrder } from './facts.ts';
import { createRoutes, type Routes } from './routes.ts';
import { wire } from './run.ts';

interface ControllerSettings {
  workers: number;
  metrics?: (controller: string) => QueueMetrics & ControllerMetrics;
}

/** Networks that are wired at the same time. Nearly all of it is waiting for nodes, and some never answer. */
const runWorkers = 32;
const longestRetryMs = 30_000;
const failedMs = 60_000;

/**
 * The controller of LayerZero networks, for one term of leadership. One queue keeps the status true, from caches alone;
 * the other works on the chains; loops deliver messages.
 */
export function createLayerZeroController(deps: LayerZeroDeps, settings: ControllerSettings): Controller {
  const { clock, log, caches } = deps;
  const commonOf = (name: string) => {
    const metrics = settings.metrics?.(name);
    return { clock, log, name, ...(metrics ? { metrics } : {}) };
  };
  const networks = createWorkQueue(commonOf('layerzero'));
  const runs = createWorkQueue({ ...commonOf('wire'), maxDelayMs: longestRetryMs });
  const memories = new Map<string, Memory>();
  const orders = new Map<string, WireOrder>();
  /** Runs under way. */
  const underWay = new Map<string, { key: string; stop(): void }>();

  function memoryOf(uid: string): Memory {
    const memory = memories.get(uid) ?? { endpoints: new Map(), lives: new Map() };
    memories.set(uid, memory);
    return memory;
  }

  function forget(uid: string): void {
    underWay.get(uid)?.stop();
    memories.delete(uid);
    orders.delete(uid);
  }

  async function observe(uid: string, routes: Routes) {
    const [network] = caches.networks.byIndex('uid', uid);
    if (network?.spec.chain.type !== 'LayerZero') {
      routes.end(uid);
      forget(uid);
      return { state: 'Gone' };
    }
    const nowMs = await deps.kube.serverTimeMs();
    const decision = decide(observed(deps, network, { nowMs, memory: memoryOf(uid) }));
    // Before the status, which says that a wish to be woken was heard.
    for (const { network: member, value } of decision.wakes) await wake(deps, member, value);
    await writeStatus(deps, { network, status: decision.status, nowMs });
    routes.set(network, decision.routes);
    demand(uid, decision);
    return { requeueAfterMs: decision.requeueAfterMs, state: decision.status.state };
  }

  /** An order that was tried already comes again by itself. */
  function demand(uid: string, { order }: LayerZeroDecision): void {
    const run = underWay.get(uid);
    // What is asked for meanwhile does not wait for a member that does not answer.
    if (run && run.key !== order?.key) run.stop();
    if (!order || order.endpoints.length + order.unverified.length === 0) {
      orders.delete(uid);
      return;
    }
    orders.set(uid, order);
    if (run?.key !== order.key && memoryOf(uid).outcome?.key !== order.key) runs.add(uid);
  }

  async function run(uid: string, signal: AbortSignal) {
    const [network] = caches.networks.byIndex('uid', uid);
    const order = orders.get(uid);
    if (!network || !order) return {};
    const stopping = new AbortController();
    underWay.set(uid, { key: order.key, stop: () => stopping.abort() });
    const memory = memoryOf(uid);
    const either = AbortSignal.any([signal, stopping.signal]);
    const outcome = await wire(network, order, {
      ...{ deps, memory, signal: either },
      onEndpoint: () => networks.add(uid),
    });
    underWay.delete(uid);
    if (either.aborted) return signal.aborted ? {} : { requeueAfterMs: 0 };
    memory.outcome = { key: order.key, ...outcome };
    networks.add(uid);
    if (outcome.state === 'failed') return { requeueAfterMs: failedMs };
    if (outcome.state === 'retry') throw new AppError('Unavailable', outcome.message ?? 'is tried again');
    return {};
  }

  return {
    name: 'layerzero',
    async run(signal) {
      const routes = createRoutes(deps, signal);
      const reconcile = (uid: string) => observe(uid, routes);
      const stop = caches.networks.onChange(({ object }) =>
        addUsers(deps, object, (uid) => networks.add(uid)),
      );
      for (const network of caches.networks.list()) {
        if (network.spec.chain.type === 'LayerZero') networks.add(network.metadata.uid ?? '');
      }
      await Promise.all(
        [
          createController({
            ...commonOf('layerzero'),
            queue: networks,
            reconcile,
            workers: settings.workers,
          }),
          createController({ ...commonOf('wire'), queue: runs, reconcile: run, workers: runWorkers }),
        ].map((controller) => controller.run(signal)),
      );
      stop();
      await routes.ended();
    },
  };
}

/** The LayerZero network itself, or those that a network is a member of. */
function addUsers({ caches }: LayerZeroDeps, network: NetworkResource, add: (uid: string) => void): void {
  const { name, namespace = '', uid = '' } = network.metadata;
  if (network.spec.chain.type === 'LayerZero') add(uid);
  for (const user of caches.networks.byIndex('member', `${namespace}/${name}`)) add(user.metadata.uid ?? '');
}

function observed(
  deps: LayerZeroDeps,
  network: NetworkResource,
  { nowMs, memory }: Pick<LayerZeroFacts, 'nowMs' | 'memory'>,
): LayerZeroFacts {
  const { namespace = '' } = network.metadata;
  const { networks = [] } = network.spec.chain.layerzero ?? {};
  return {
    ...observeLifecycle(deps, network, nowMs),
    memory,
    members: networks.map(({ networkRef: { name }, eid }) => ({
      name,
      network: deps.caches.networks.get({ namespace, name }),
      ...(eid === undefined ? {} : { eid }),
    })),
  };
}

async function wake({ kube }: LayerZeroDeps, { metadata }: NetworkResource, value: string): Promise<void> {
  const { namespace = '', name, uid } = metadata;
  await kube.patch(
    networkType,
    { namespace, name },
    { metadata: { uid, annotations: { [annotations.wake]: value } } },
  );
}
