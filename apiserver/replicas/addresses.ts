import { endpointSliceType } from '../../core/kube/types.ts';
import type { Clock } from '../../core/lib/clock.ts';
import type { Store } from '../store/kubeErrors.ts';

/** The addresses of the other replicas that serve. */
export type ReplicaAddresses = () => Promise<readonly string[]>;

interface AddressesOptions {
  kube: Pick<Store, 'list'>;
  /** Of the service. */
  namespace: string;
  /** The name of this replica's pod. Empty outside of a cluster: there are no others. */
  pod: string;
  /** The port of the API, by which a Service of other processes is told apart. */
  port: number;
  clock: Pick<Clock, 'nowMs'>;
}

/** A replica that has just begun is found within this time. */
const validMs = 5000;

/** Finds the other replicas as the other endpoints of the Service that has the API of this one. */
export function createReplicaAddresses({
  kube,
  namespace,
  pod,
  port,
  clock,
}: AddressesOptions): ReplicaAddresses {
  let known: readonly string[] = [];
  let validUntilMs = 0;
  return async () => {
    if (pod === '') return [];
    if (clock.nowMs() < validUntilMs) return known;
    const { items } = await kube.list(endpointSliceType, { namespace });
    const ofApi = items.filter(({ ports }) => ports?.some((one) => one.port === port));
    const ofPods = ofApi.map(({ endpoints = [] }) => endpoints);
    const shared = ofPods.filter((endpoints) => endpoints.some(({ targetRef }) => targetRef?.name === pod));
    const others = shared
      .flat()
      .filter(({ targetRef, conditions }) => targetRef?.name !== pod && conditions?.ready !== false);
    // A replica with addresses of two families is in a slice of each.
    const byPod = new Map(others.map(({ targetRef, addresses: [address] }) => [targetRef?.name, address]));
    known = [...byPod.values()].flatMap((address) => address ?? []);
    validUntilMs = clock.nowMs() + validMs;
    return known;
  };
}
