import { chainTypes } from '../../core/api/resources/chainSpecs.ts';
import type { Stored } from '../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { ownedBy } from '../../core/kube/ownedBy.ts';
import type { ExtendedDriver } from '../../core/plugins/extendPlan.ts';
import type { ChainIdClaims } from './chainIdClaims.ts';
import { isChainIdTaken, isChainIdUsed, namedChainIdOf } from './decide/chainIds.ts';
import type {
  ChainIdFacts,
  ChildFacts,
  InstallationFacts,
  NetworkFacts,
  ReferenceFacts,
  RememberedFacts,
} from './decide/facts.ts';
import type { NetworkDeps } from './deps.ts';
import { forkSourceOf } from './forkSource.ts';
import type { LastBlocks } from './lastBlocks.ts';
import { observeLifecycle } from './lifecycle/lifecycle.ts';
import type { Rights } from './rights.ts';
import { snapshotOf } from './snapshot.ts';

type Network = Stored<NetworkResource>;

interface Observed {
  network: Network;
  nowMs: number;
  driver: ExtendedDriver;
  claims: ChainIdClaims;
  lastBlocks: LastBlocks;
  rights: Rights;
}

/** All facts for a decision, before anybody was asked: from the caches, and from what was learnt before. */
export function observe(deps: NetworkDeps, observed: Observed): NetworkFacts {
  const { network, driver, nowMs } = observed;
  return {
    ...observeLifecycle(deps, network, nowMs),
    ...installationFacts(deps),
    ...referenceFacts(deps, network, driver),
    ...chainIdFacts(deps, network),
    ...childFacts(deps, network),
    ...rememberedFacts(deps, observed),
    driver,
    answers: {},
  };
}

function installationFacts({ engines, keys, systemContracts }: NetworkDeps): InstallationFacts {
  return {
    engineSet: engines.current(),
    accessKeys: keys.access,
    engineKeys: keys.engines,
    systemContracts,
  };
}

function referenceFacts(
  deps: NetworkDeps,
  network: Network,
  { hotKeyKind, mnemonicAccounts }: ExtendedDriver,
): ReferenceFacts {
  const { caches, references, memberAddressesOf } = deps;
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
    memberAddresses: memberAddressesOf?.(namespace) ?? [],
    ...forkSourceOf(deps, network),
    snapshot: snapshotOf(caches, network),
  };
}

function chainIdFacts({ caches }: NetworkDeps, network: Network): ChainIdFacts {
  const claimants = (chainId: string) => caches.networks.byIndex('chainId', chainId);
  return {
    namedChainId: namedChainIdOf(network),
    isChainIdTaken: (chainId) => isChainIdTaken(claimants(chainId), network, chainId),
    isChainIdUsed: (chainId) => isChainIdUsed(claimants(chainId), network),
  };
}

function childFacts({ caches }: NetworkDeps, network: Network): ChildFacts {
  const { uid } = network.metadata;
  return {
    pods: caches.pods.byIndex('network', uid).filter(ownedBy(network)),
    volumeClaims: caches.volumeClaims.byIndex('network', uid).filter(ownedBy(network)),
    files: caches.configMaps.byIndex('network', uid).filter(ownedBy(network)),
  };
}

function rememberedFacts(
  { lastUnsettledMs }: NetworkDeps,
  { network, nowMs, claims, lastBlocks, rights }: Observed,
): RememberedFacts {
  return {
    claimedChainId: claims.claimOf(network, nowMs),
    lastUnsettledMs: lastUnsettledMs?.(network),
    lastBlock: lastBlocks.last(network),
    refusedRights: rights.refusalOf(network.metadata.uid),
  };
}
