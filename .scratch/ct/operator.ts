import { annotations } from '../../core/api/names.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { NetworkStatus } from '../../core/api/resources/networkStatus.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import type { Kube, Stored } from '../../core/kube/kube.ts';

const steps = [
  'Creating the volume',
  'Starting the engine',
  'Waiting for the first block',
  'Deploying contracts',
];
const url = (uid: string, access: string, service: string) =>
  `https://slipway.example/rpc/${uid}/${access.repeat(43)}/${service}`;

/** What a network that runs says of itself. */
export function operational({ metadata: { uid = '' } }: Pick<NetworkResource, 'metadata'>): NetworkStatus {
  return {
    state: 'Operational',
    message: '',
    chainID: '1142001337',
    storage: 'Pod',
    execution: { currentStep: steps.length, totalSteps: steps.length, output: '' },
    endpoints: { rpc: url(uid, 'p', 'rpc'), ws: url(uid, 'p', 'ws') },
    adminServices: ['admin', 'admin-ws'],
    accessKeys: { public: { epoch: 0, observedNonce: 0 }, admin: { epoch: 0, observedNonce: 0 } },
  };
}

/** Moves networks through their states as the operator does, one step at each call. */
export function createFakeOperator(kube: Kube) {
  const write = ({ metadata }: Stored<NetworkResource>, status: NetworkStatus) =>
    kube.patch(networkType, metadata, { status }, 'status');

  /** What somebody asked for and has not got yet. */
  function asked({ status, metadata }: Stored<NetworkResource>): NetworkStatus | undefined {
    const { [annotations.wake]: wake, [annotations.stop]: stop } = metadata.annotations ?? {};
    if (stop && stop !== status?.observedStop) return { state: 'Stopping', message: '', observedStop: stop };
    if (wake && wake !== status?.observedWake) return starting(0, { observedWake: wake });
    return undefined;
  }

  /** The next state of a network; undefined when nothing is to be done. */
  function next(network: Stored<NetworkResource>): NetworkStatus | undefined {
    const { state, execution } = network.status ?? {};
    if (state === undefined) return starting(0, {});
    if (state === 'Stopping') return { state: 'Stopped', message: '' };
    if (state !== 'Pending') return undefined;
    const step = (execution?.currentStep ?? 0) + 1;
    return step <= steps.length ? starting(step, {}) : operational(network);
  }

  const starting = (step: number, observed: NetworkStatus): NetworkStatus => ({
    state: 'Pending',
    message: steps[step - 1] ?? 'Checking the spec',
    execution: { currentStep: step, totalSteps: steps.length },
    ...observed,
  });

  return {
    /** One step for each network that is not where it wants to be. */
    async step(): Promise<void> {
      const { items } = await kube.list(networkType);
      for (const network of items) {
        const status = asked(network) ?? next(network);
        if (status) await write(network, status);
      }
    },
    set: write,
  };
}
