import { apiVersion, labels } from '../../core/api/names.ts';
import { chainTypes } from '../../core/api/resources/chainSpecs.ts';
import type { ChainSpec, NetworkResource } from '../../core/api/resources/network.ts';
import type { NetworkState, NetworkStatus } from '../../core/api/resources/networkStatus.ts';

const measuredTypes = ['Ethereum', 'Arbitrum', 'Optimism', 'Base', 'Polygon'] as const;
const states: NetworkState[] = ['Operational', 'Stopped', 'Operational', 'Pending', 'Operational', 'Error'];
const owners = ['alice', 'bob', 'carol', 'dave'];

const pick = <T>(values: readonly [T, ...T[]] | readonly T[], index: number): T => {
  const value = values[index % values.length];
  if (value === undefined) throw new Error('nothing to pick from');
  return value;
};

/** Network number `index` of many, with varying types, owners and persistence. */
export function aNetwork(namespace: string, index: number): NetworkResource {
  const type = pick(measuredTypes, index);
  const chain: ChainSpec = { type, [chainTypes[type].member]: { privateKeyRef: { name: 'hot-key' } } };
  const owner = pick(owners, Math.floor(index / 3));
  return {
    apiVersion,
    kind: 'Network',
    metadata: {
      name: `network-${String(index).padStart(5, '0')}`,
      namespace,
      labels: { [labels.owner]: owner, [labels.workspace]: 'default' },
    },
    spec: { persistent: index % 4 === 0, chain },
  };
}

const key = 'k'.repeat(43);

/** A status of the same size as those that the operator writes. */
export function aStatus({ metadata, spec }: NetworkResource, index: number): NetworkStatus {
  const state = pick(states, index);
  const base = `http://127.0.0.1:8080/rpc/${metadata.uid}`;
  const time = '2030-01-02T03:04:05Z';
  const message = 'running; gas is counted by the rules of Ethereum';
  return {
    enclaveID: '0123456789abcdef',
    state,
    message,
    execution: {
      currentStep: 4,
      totalSteps: 4,
      output: [
        '1/4 resolve keys and sources: 0x00000000000000000000000000000000000000AA — done',
        `2/4 write the genesis: chain id ${1_000_000 + index} — done`,
        '3/4 start the engine — done',
        '4/4 wait for the first answer — done',
      ].join('\n'),
    },
    chainSpecHash: key,
    observedMaintenanceNonce: 0,
    lastActivityAt: time,
    lastWakeUpAt: time,
    chainID: String(1_000_000 + index),
    endpoints: { rpc: `${base}/${key}/rpc`, ws: `${base}/${key}/ws`, admin: `${base}/${key}/admin` },
    observedGeneration: 1,
    conditions: [
      {
        type: 'Ready',
        observedGeneration: 1,
        lastTransitionTime: time,
        reason: state,
        message,
        status: state === 'Operational' ? 'True' : 'False',
      },
    ],
    ...(spec.persistent ? {} : { lastStoppedAt: time }),
  };
}
