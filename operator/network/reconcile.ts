import type { EngineName } from '../../core/api/engines.ts';
import type { KubeObject, Stored } from '../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { NetworkState } from '../../core/api/resources/networkStatus.ts';
import { driverOf, enginesOfNetwork } from '../../core/chains/registry.ts';
import { missingEngines } from '../../core/engines/needs.ts';
import { ownedBy } from '../../core/kube/ownedBy.ts';
import { podType } from '../../core/kube/types.ts';
import { compact } from '../../core/lib/compact.ts';
import { withProfile } from '../../core/networks/profiles.ts';
import type { ExtendedDriver } from '../../core/plugins/extendPlan.ts';
import type { ReconcileResult } from '../runtime/controller.ts';
import { removeOrphans } from './act.ts';
import { carryOut } from './carryOut.ts';
import { createChainIdClaims } from './chainIdClaims.ts';
import type { Decision, NetworkFacts } from './decide/facts.ts';
import type { NetworkDeps } from './deps.ts';
import { decideWithEngine } from './engine.ts';
import type { LastBlocks } from './lastBlocks.ts';
import { deleteExpired } from './lifecycle/expiry.ts';
import { askForRestart } from './lifecycle/restart.ts';
import { observe } from './observe.ts';
import { engineOf } from './render/pods.ts';
import { createRights } from './rights.ts';

const unsettledMs = 1_000;

/** Reconciles networks; the key is the uid. Observes, decides, writes the status, then acts. */
export function createNetworkReconcile(deps: NetworkDeps, lastBlocks: LastBlocks) {
  const rights = createRights();
  const claims = createChainIdClaims(deps.rpcOf);

  async function reconcileNetwork(network: Stored<NetworkResource>, driver: ExtendedDriver) {
    const { uid } = network.metadata;
    // The cluster's time: the local clock may be wrong, and stopping a network loses its data.
    const nowMs = await deps.kube.serverTimeMs();
    await deps.keyEpochs?.prepare(network);
    // Read together with the facts: a pod that terminates while the status is written must not look like a failed one.
    const observed = childrenOf(deps, uid).filter(ownedBy(network));
    const facts = observe(deps, { network, driver, nowMs, claims, lastBlocks, rights });
    const decision = await decideWithEngine(facts, {
      rpcOf: (service) => deps.rpcOf(uid, service),
      lastBlocks,
      readForkHead: deps.readForkHead,
      readProcess: deps.readProcess,
      warm: deps.warm,
    });
    lastBlocks.follow(network, driver.headCall, decision.status);
    const { state } = decision.status;
    deps.wanted.set(uid, enginesWaitedFor(deps, facts, state), nowMs);
    const unfinished = await rights.observe(uid, act(deps, { facts, observed, decision }));
    await deleteExpired(deps, facts);
    if (unfinished && unfinished !== 'refused') return unfinished;
    // After the first refusal, the status does not report it yet.
    const isUnreported = unfinished === 'refused' && facts.refusedRights === undefined;
    const nextMs = deps.accessSecrets.nextMs(uid, claims.nextMs(network, nowMs, decision.requeueAfterMs));
    return { requeueAfterMs: isUnreported ? unsettledMs : nextMs, state };
  }

  return async function reconcile(uid: string): Promise<ReconcileResult> {
    const [network] = deps.caches.networks.byIndex('uid', uid);
    // LayerZero networks have their own controller.
    const driver = network && driverOf(network.spec.chain.type, deps.pluginRegistry);
    if (driver) return reconcileNetwork(network, driver);
    deps.wanted.set(uid, [], deps.clock.nowMs());
    if (network) return { state: 'Elsewhere' };
    for (const { forget } of [rights, claims, lastBlocks, deps.accessSecrets]) forget(uid);
    deps.plugins.post(uid, undefined);
    await removeOrphans(deps.kube, childrenOf(deps, uid));
    return { state: 'Gone' };
  };
}

/** One that is stopped, or about to be, does not wait for engines. */
function enginesWaitedFor(
  { pluginRegistry }: NetworkDeps,
  { network, engineSet }: NetworkFacts,
  state: NetworkState | undefined,
): EngineName[] {
  if (state === 'Stopping' || state === 'Stopped') return [];
  const spec = withProfile(network.spec, network.status);
  return missingEngines(enginesOfNetwork(spec, pluginRegistry), engineSet);
}

interface Act {
  facts: NetworkFacts;
  observed: Stored<KubeObject>[];
  decision: Decision;
}

/** Writes the status and acts. Returns when to call again if that is not done. */
async function act(
  deps: NetworkDeps,
  { facts, observed, decision }: Act,
): Promise<ReconcileResult | undefined> {
  const { replace = [], restart } = decision;
  const meanwhile = deps.accessSecrets.writerOf(facts, decision.status);
  const unfinished = await carryOut(deps, { facts, decision, observed, meanwhile });
  await meanwhile();
  for (const { metadata } of replace)
    await deps.kube.delete(podType, metadata, compact({ uid: metadata.uid }));
  for (const pod of restart?.pods ?? []) {
    await askForRestart(deps.kube, pod, {
      number: restart?.number ?? 0,
      engine: engineOf(facts.engineSet.images, 'evm-dev'),
    });
  }
  return unfinished;
}

function childrenOf({ caches }: NetworkDeps, uid: string): Stored<KubeObject>[] {
  return [
    ...caches.pods.byIndex('network', uid),
    ...caches.services.byIndex('network', uid),
    ...caches.configMaps.byIndex('network', uid),
    ...caches.volumeClaims.byIndex('network', uid),
  ];
}
