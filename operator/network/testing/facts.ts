import { aKeyring } from '../../../core/accounts/testing/keyrings.ts';
import { type Installation, installationSchema } from '../../../core/api/installation.ts';
import { labels } from '../../../core/api/names.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import { driverOf } from '../../../core/chains/registry.ts';
import type { EngineSet } from '../../../core/engines/engineSet.ts';
import { aSetOf } from '../../../core/engines/testing/engineSets.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import type { Pod, PodStatus } from '../../../core/kube/types.ts';
import { systemContractsForTests } from '../../../hack/contracts/forTests.ts';
import { namedChainIdOf } from '../decide/chainIds.ts';
import type { NetworkFacts } from '../decide/facts.ts';
import { engineIncarnationOf } from '../render/childNames.ts';

export const nowMs = Date.parse('2030-01-02T03:04:05Z');
export const hotAddress = '0x00000000000000000000000000000000000000AA';

/** A network of type Ethereum with a hot key; `chain` is merged into spec.chain.ethereum. */
export function aNetwork(
  chain: object = {},
  rest: Partial<Stored<NetworkResource>> = {},
): Stored<NetworkResource> {
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Network',
    metadata: {
      name: 'net',
      namespace: 'ws',
      uid: 'u-1',
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: '2030-01-02T03:00:00Z',
    },
    spec: { chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'key' }, ...chain } } },
    ...rest,
  };
}

/** The facts of a network with its key and without blockers. */
export function factsOf(network: Stored<NetworkResource>, others: Partial<NetworkFacts> = {}): NetworkFacts {
  const driver = driverOf(network.spec.chain.type);
  if (!driver) throw new Error(`networks of type ${network.spec.chain.type} have no engine`);
  return {
    network,
    driver,
    nowMs,
    hotKey: { kind: 'addresses', addresses: [hotAddress] },
    mnemonic: undefined,
    forkSource: undefined,
    namedChainId: namedChainIdOf(network),
    isChainIdTaken: () => false,
    isChainIdUsed: () => false,
    pods: [],
    installation: anInstallation(),
    engineSet: someEngines(),
    accessKeys: aKeyring('access key'),
    engineKeys: aKeyring('gateway key'),
    systemContracts: systemContractsForTests(),
    quotaRefusal: undefined,
    isStopAllowed: true,
    answers: {},
    ...others,
  };
}

/** The engine pod of the network's current incarnation. */
export function aPod(network: Stored<NetworkResource>, status: PodStatus, uid = 'p-1'): Pod {
  const incarnation = engineIncarnationOf(network);
  const podLabels = { [labels.network]: 'u-1', [labels.part]: 'rpc', [labels.incarnation]: incarnation };
  const ownerReferences = [{ apiVersion: network.apiVersion, kind: 'Network', name: 'net', uid: 'u-1' }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `net-rpc-${incarnation}`, namespace: 'ws', uid, labels: podLabels, ownerReferences },
    spec: { containers: [{ name: 'rpc', image: 'evm-dev:1' }] },
    status,
  };
}

export const readyStatus: PodStatus = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };

/** The engine of networks without participants, and others. */
export function someEngines(others: Parameters<typeof aSetOf>[0] = {}): EngineSet {
  return aSetOf({ 'evm-dev': {}, ...others });
}

/** An installation for tests. */
export function anInstallation(others: object = {}): Installation {
  return installationSchema.parse({
    publicUrl: 'http://gateway',
    defaultWorkspace: { id: 'default', namespace: 'ws' },
    ...others,
  });
}
