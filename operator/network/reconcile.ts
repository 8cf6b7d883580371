import type { ForkSources } from '../../core/api/installation.ts';
import { chainTypes } from '../../core/api/resources/chainSpecs.ts';
import type { KubeObject, Stored } from '../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { SecretResource } from '../../core/api/resources/secret.ts';
import type { ChainDriver, ReadinessCall } from '../../core/chains/driver.ts';
import { driverOf } from '../../core/chains/registry.ts';
import type { SystemContracts } from '../../core/chains/systemContracts.ts';
import type { EvmRpc } from '../../core/evm/rpc.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Kube } from '../../core/kube/kube.ts';
import type { ConfigMap, PersistentVolumeClaim, Pod, Service } from '../../core/kube/types.ts';
import type { Clock } from '../../core/lib/clock.ts';
import type { Log } from '../../core/lib/log.ts';
import type { ReconcileResult } from '../runtime/controller.ts';
import { actOn, removeOrphans } from './act.ts';
import { isChainIdTaken, namedChainIdOf } from './decide/chainIds.ts';
import { decide } from './decide/decide.ts';
import type { NetworkFacts } from './decide/facts.ts';
import { type LifecycleDeps, observeLifecycle } from './lifecycle/lifecycle.ts';
import type { MemberAddressesOf } from './lifecycle/members.ts';
import { askForRestart } from './lifecycle/restart.ts';
import type { ReferenceReader } from './references.ts';
import { engineOf } from './render/pods.ts';
import { writeStatus } from './status/writeStatus.ts';

export interface NetworkCaches {
  networks: Reflector<NetworkResource>;
  secrets: Reflector<SecretResource>;
  pods: Reflector<Pod>;
  services: Reflector<Service>;
  configMaps: Reflector<ConfigMap>;
  volumeClaims: Reflector<PersistentVolumeClaim>;
}

export interface NetworkDeps extends LifecycleDeps {
  kube: Kube;
  caches: NetworkCaches;
  references: ReferenceReader;
  forkSources: ForkSources;
  gatewayKey: Uint8Array;
  systemContracts: SystemContracts;
  /** The node of a network, by its uid; undefined while none is ready. */
  rpcOf(networkUid: string): EvmRpc | undefined;
  /** Without it, no member's key is funded. */
  memberAddressesOf?: MemberAddressesOf;
  clock: Clock;
  log: Log;
}

const readinessCallMs = 2_000;

/** A reconcile of networks; the key is a network's uid. Observe, decide, write the status, act. */
export function createNetworkReconcile(deps: NetworkDeps) {
  return async function reconcile(uid: string): Promise<ReconcileResult> {
    const [network] = deps.caches.networks.byIndex('uid', uid);
    if (!network) {
      await removeOrphans(deps.kube, childrenOf(deps, uid));
      return { state: 'Gone' };
    }
    // LayerZero networks have a controller of their own.
    const driver = driverOf(network.spec.chain.type);
    if (!driver) return { state: 'Elsewhere' };
    // The cluster's time: this machine's clock may be wrong, and stopping a network loses its data.
    const nowMs = await deps.kube.serverTimeMs();
    // Seen at one time with what is decided: a pod that ends while the status is written is not taken for one that failed.
    const observed = childrenOf(deps, uid);
    const facts = observe(deps, { network, driver, nowMs });
    const first = decide(facts);
    const decision = first.readinessCall
      ? decide({ ...facts, hasAnswered: await doesAnswer(deps.rpcOf(uid), first.readinessCall) })
      : first;
    await writeStatus(deps, { network, status: decision.status, nowMs });
    if (decision.children) {
      const isSettled = await actOn(deps.kube, { desired: decision.children, observed, network });
      if (!isSettled) return { requeueAfterMs: 1_000, state: decision.status.state };
    }
    for (const pod of decision.restart?.pods ?? []) {
      await askForRestart(deps.kube, pod, {
        nonce: decision.restart?.nonce ?? 0,
        engine: engineOf(deps.installation, 'evm-dev'),
      });
    }
    return { requeueAfterMs: decision.requeueAfterMs, state: decision.status.state };
  };
}

async function doesAnswer(rpc: EvmRpc | undefined, call: ReadinessCall): Promise<boolean> {
  if (!rpc) return false;
  const { method, params, isAnswer } = call;
  return rpc.call(method, params, { timeoutMs: readinessCallMs }).then(isAnswer, () => false);
}

type Observed = Pick<NetworkFacts, 'network' | 'nowMs'> & { driver: ChainDriver };

/** Gathers from the caches all that the decision needs. */
function observe(deps: NetworkDeps, { network, driver, nowMs }: Observed): NetworkFacts {
  const { caches, memberAddressesOf } = deps;
  const { uid, namespace } = network.metadata;
  return {
    ...observeLifecycle(deps, network, nowMs),
    ...resolveReferences(deps, network, driver),
    driver,
    memberAddresses: memberAddressesOf?.(namespace) ?? [],
    forkSource: deps.forkSources[network.spec.chain.type],
    namedChainId: namedChainIdOf(network),
    isChainIdTaken: (chainId) =>
      isChainIdTaken(caches.networks.byIndex('chainId', chainId), network, chainId),
    pods: caches.pods.byIndex('network', uid),
    gatewayKey: deps.gatewayKey,
    systemContracts: deps.systemContracts,
  };
}

function resolveReferences(
  { caches, references }: NetworkDeps,
  network: Stored<NetworkResource>,
  { hotKeyKind, mnemonicAccounts }: ChainDriver,
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
