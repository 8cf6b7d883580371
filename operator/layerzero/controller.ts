import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { compact } from '../../core/lib/compact.ts';
import { requestWake } from '../../core/networks/wake.ts';
import { deleteExpired } from '../network/lifecycle/expiry.ts';
import { observeLifecycle } from '../network/lifecycle/lifecycle.ts';
import { writeStatus } from '../network/status/writeStatus.ts';
import type { Controller, ReconcileResult } from '../runtime/controller.ts';
import {
  type ControllerSettings,
  defineController,
  joinControllers,
  type Keys,
} from '../runtime/defineController.ts';
import { decide } from './decide.ts';
import type { LayerZeroDeps } from './deps.ts';
import type { LayerZeroFacts } from './facts.ts';
import { createRoutes, type Routes } from './routes.ts';
import { createWireRuns, type WireRuns } from './runs.ts';

/** Networks that are wired concurrently. Nearly all the time is spent waiting for nodes, some of which never answer. */
const runWorkers = 64;
const longestRetryMs = 30_000;

/**
 * The controller of LayerZero networks. Keys are uids. One queue updates the status, using only caches; the other one
 * works on the chains. Loops deliver the messages.
 */
export function createLayerZeroController(deps: LayerZeroDeps, settings: ControllerSettings): Controller {
  const term = new AbortController();
  const routes = createRoutes(deps, term.signal);
  const runs = createWireRuns(deps);
  const networkOf = (uid: string) => deps.caches.networks.byIndex('uid', uid)[0];
  const wires = defineController(
    {
      name: 'wire',
      workers: runWorkers,
      longestRetryMs,
      reconcile: (uid, signal) => runs.reconcile(uid, signal, () => networks.keys.add(uid)),
      objectOf: networkOf,
      namespaceOf: (uid) => networkOf(uid)?.metadata.namespace,
    },
    deps,
    settings,
  );
  const networks = defineController(
    {
      name: 'layerzero',
      reconcile: (uid) => reconcileStatus(uid, { deps, runs, routes, wires: wires.keys }),
      objectOf: networkOf,
      watch(keys, signal) {
        signal.addEventListener('abort', () => term.abort(), { once: true });
        const stopWatching = watchLayerZero(deps, keys.add);
        return async () => {
          stopWatching();
          await routes.ended();
        };
      },
    },
    deps,
    settings,
  );
  return joinControllers('layerzero', [networks, wires]);
}

/** Adds the LayerZero networks that a change of a network affects: itself, or those that it is a member of. */
function watchLayerZero({ caches: { networks } }: LayerZeroDeps, add: (uid: string) => void): () => void {
  const addItself = ({ metadata, spec }: Stored<NetworkResource>) => {
    if (spec.chain.type === 'LayerZero') add(metadata.uid);
  };
  networks.list().forEach(addItself);
  return networks.onChange(({ object }) => {
    const { name, namespace } = object.metadata;
    addItself(object);
    networks.byIndex('member', `${namespace}/${name}`).forEach(addItself);
  });
}

interface ReconcileContext {
  deps: LayerZeroDeps;
  runs: WireRuns;
  routes: Routes;
  wires: Keys;
}

async function reconcileStatus(uid: string, context: ReconcileContext): Promise<ReconcileResult> {
  const { deps, runs, routes, wires } = context;
  const [network] = deps.caches.networks.byIndex('uid', uid);
  if (network?.spec.chain.type !== 'LayerZero') {
    routes.end(uid);
    runs.forget(uid);
    return { state: 'Gone' };
  }
  const nowMs = await deps.kube.serverTimeMs();
  await deps.keyEpochs?.prepare(network);
  const facts = observe(deps, network, { nowMs, memory: runs.memoryOf(uid) });
  const decision = decide(facts);
  // Before the status, which marks the wake request as observed.
  for (const { network: member, value } of decision.wakes)
    await requestWake(deps.kube, member.metadata, value);
  await writeStatus(deps, { network, status: decision.status, nowMs });
  await deleteExpired(deps, facts);
  routes.set(network, decision.routes);
  if (runs.order(uid, decision)) wires.add(uid);
  return { requeueAfterMs: decision.requeueAfterMs, state: decision.status.state };
}

function observe(
  deps: LayerZeroDeps,
  network: Stored<NetworkResource>,
  { nowMs, memory }: Pick<LayerZeroFacts, 'nowMs' | 'memory'>,
): LayerZeroFacts {
  const { namespace } = network.metadata;
  const { networks = [] } = network.spec.chain.layerzero ?? {};
  return {
    ...observeLifecycle(deps, network, nowMs),
    memory,
    members: networks.map(({ networkRef: { name }, eid }) => ({
      name,
      network: deps.caches.networks.get({ namespace, name }),
      ...compact({ eid }),
    })),
  };
}
