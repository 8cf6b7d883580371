import type { Keyring, KeyringName } from '../../core/accounts/keyring.ts';
import type { EngineName } from '../../core/api/engines.ts';
import { chainTypes } from '../../core/api/resources/chainSpecs.ts';
import type { KubeObject, Stored } from '../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { NetworkState } from '../../core/api/resources/networkStatus.ts';
import type { SecretResource } from '../../core/api/resources/secret.ts';
import type { SnapshotResource } from '../../core/api/resources/snapshot.ts';
import { driverOf, enginesOfNetwork } from '../../core/chains/registry.ts';
import type { SystemContracts } from '../../core/chains/systemContracts.ts';
import type { EngineWatch } from '../../core/engines/engineWatch.ts';
import { missingEngines } from '../../core/engines/needs.ts';
import type { EvmRpc } from '../../core/evm/rpc.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { ownedBy } from '../../core/kube/ownedBy.ts';
import {
  type ConfigMap,
  type PersistentVolumeClaim,
  type Pod,
  podType,
  type Service,
} from '../../core/kube/types.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import type { Log } from '../../core/lib/log.ts';
import { withProfile } from '../../core/networks/profiles.ts';
import type { ExtendedDriver } from '../../core/plugins/extendPlan.ts';
import type { PluginRegistry } from '../../core/plugins/registry.ts';
import type { PluginBoard } from '../plugin/board.ts';
import type { ReconcileResult } from '../runtime/controller.ts';
import type { WantedBoard } from '../wanted/board.ts';
import type { WarmEngines } from '../warm/warmEngines.ts';
import { removeOrphans } from './act.ts';
import { carryOut } from './carryOut.ts';
import { type ChainIdClaims, createChainIdClaims } from './chainIdClaims.ts';
import { isChainIdTaken, namedChainIdOf } from './decide/chainIds.ts';
import type { Decision, NetworkFacts } from './decide/facts.ts';
import { decideWithEngine } from './engine.ts';
import { forkSourceOf, type ReadForkHead } from './forkSource.ts';
import type { Heads } from './heads.ts';
import { deleteExpired } from './lifecycle/expiry.ts';
import { type LifecycleDeps, observeLifecycle } from './lifecycle/lifecycle.ts';
import type { MemberAddressesOf } from './lifecycle/members.ts';
import { askForRestart } from './lifecycle/restart.ts';
import type { ReferenceReader } from './references.ts';
import type { AccessSecrets } from './render/accessSecret.ts';
import { engineOf } from './render/pods.ts';
import { createRights, type Rights } from './rights.ts';
import { snapshotOf } from './snapshot.ts';

export interface NetworkCaches {
  networks: Reflector<NetworkResource>;
  secrets: Reflector<SecretResource>;
  snapshots: Reflector<SnapshotResource>;
  pods: Reflector<Pod>;
  services: Reflector<Service>;
  configMaps: Reflector<ConfigMap>;
  volumeClaims: Reflector<PersistentVolumeClaim>;
}

export interface NetworkDeps extends LifecycleDeps {
  kube: Kube;
  caches: NetworkCaches;
  references: ReferenceReader;
  keys: Pick<Record<KeyringName, Keyring>, 'access' | 'engines' | 'forks'>;
  accessSecrets: AccessSecrets;
  readForkHead: ReadForkHead;
  /** The id of the process that answers at a URL; undefined if none does. */
  readProcess(url: string): Promise<string | undefined>;
  systemContracts: SystemContracts;
  /** What this version runs, if absent. */
  pluginRegistry?: PluginRegistry;
  plugins: PluginBoard;
  engines: Pick<EngineWatch, 'current' | 'onChange'>;
  /** Which engines networks wait for. */
  wanted: Pick<WantedBoard, 'set' | 'waiting'>;
  /** The RPC client of the node behind a service of a network, `rpc` if none is named; undefined while it is not ready. */
  rpcOf(networkUid: string, service?: string): EvmRpc | undefined;
  /** If absent, the keys of members are not funded. */
  memberAddressesOf?: MemberAddressesOf;
  /**
   * When the last transaction was accepted that a network's process acknowledged and whose outcome is not stored. If absent, no
   * end of an engine waits for one.
   */
  lastUnjudgedMs?(network: Stored<NetworkResource>): number | undefined;
  /** If absent, no network gets a pod that waited for it. */
  warm?: WarmEngines;
  clock: Clock;
  log: Log;
}

const unsettledMs = 1_000;

/** Reconciles networks; the key is the uid. Observes, decides, writes the status, then acts. */
export function createNetworkReconcile(deps: NetworkDeps, heads: Heads) {
  const rights = createRights();
  const claims = createChainIdClaims(deps.rpcOf);

  async function reconcileNetwork(network: Stored<NetworkResource>, driver: ExtendedDriver) {
    const { uid } = network.metadata;
    // The cluster's time: the local clock may be wrong, and stopping a network loses its data.
    const nowMs = await deps.kube.serverTimeMs();
    // Read together with the facts: a pod that terminates while the status is written must not look like a failed one.
    const observed = childrenOf(deps, uid).filter(ownedBy(network));
    const facts = observe(deps, { network, driver, nowMs, claims, heads, rights });
    const decision = await decideWithEngine(facts, {
      rpcOf: (service) => deps.rpcOf(uid, service),
      heads,
      readForkHead: deps.readForkHead,
      readProcess: deps.readProcess,
      warm: deps.warm,
    });
    heads.follow(network, driver.headCall, decision.status);
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
    for (const { forget } of [rights, claims, heads, deps.accessSecrets]) forget(uid);
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

interface Observed extends Pick<NetworkFacts, 'network' | 'nowMs'> {
  driver: ExtendedDriver;
  claims: ChainIdClaims;
  heads: Heads;
  rights: Rights;
}

/** Collects all facts for the decision, from the caches and from what was learnt before. */
function observe(
  deps: NetworkDeps,
  { network, driver, nowMs, claims, heads, rights }: Observed,
): NetworkFacts {
  const { caches, memberAddressesOf } = deps;
  const { uid, namespace } = network.metadata;
  return {
    ...observeLifecycle(deps, network, nowMs),
    engineSet: deps.engines.current(),
    ...resolveReferences(deps, network, driver),
    driver,
    claimedChainId: claims.claimOf(network, nowMs),
    memberAddresses: memberAddressesOf?.(namespace) ?? [],
    ...forkSourceOf(deps, network),
    snapshot: snapshotOf(caches, network),
    namedChainId: namedChainIdOf(network),
    isChainIdTaken: (chainId) =>
      isChainIdTaken(caches.networks.byIndex('chainId', chainId), network, chainId),
    pods: caches.pods.byIndex('network', uid).filter(ownedBy(network)),
    lastUnjudgedMs: deps.lastUnjudgedMs?.(network),
    volumeClaims: caches.volumeClaims.byIndex('network', uid).filter(ownedBy(network)),
    files: caches.configMaps.byIndex('network', uid).filter(ownedBy(network)),
    accessKeys: deps.keys.access,
    engineKeys: deps.keys.engines,
    systemContracts: deps.systemContracts,
    lastBlock: heads.last(network),
    refusedRights: rights.refusalOf(uid),
  };
}

function resolveReferences(
  { caches, references }: NetworkDeps,
  network: Stored<NetworkResource>,
  { hotKeyKind, mnemonicAccounts }: ExtendedDriver,
) {
  const { namespace } = network.metadata;
  const spec = network.spec.chain[chainTypes[network.spec.chain.type].member];
  const hotName = spec && 'privateKeyRef' in spec ? spec.privateKeyRef?.name : undefined;
  const mnemonicName = spec && 'mnemonicRef' in spec ? spec.mnemonicRef?.name : undefined;
  const find = (name: string) => caches.secrets.get({ namespace, name });
  return {
    hotKey: hotName === undefined ? undefined : references.hotKey(find(hotName), hotName, hotKeyKind),
    mnemonic:
      mnemonicName === undefined
        ? undefined
        : references.mnemonic(find(mnemonicName), mnemonicName, mnemonicAccounts),
  };
}

function childrenOf({ caches }: NetworkDeps, uid: string): Stored<KubeObject>[] {
  return [
    ...caches.pods.byIndex('network', uid),
    ...caches.services.byIndex('network', uid),
    ...caches.configMaps.byIndex('network', uid),
    ...caches.volumeClaims.byIndex('network', uid),
  ];
}
