import { annotations } from '../api/names.ts';
import type { NetworkResource } from '../api/resources/network.ts';
import { networkType } from '../api/resources/resources.ts';
import type { Kube } from '../kube/kube.ts';

/** Whether the wake annotation has a value that the operator has not acted on yet. */
function isWakeRequested({ metadata, status }: NetworkResource): boolean {
  const wake = metadata.annotations?.[annotations.wake];
  return wake !== undefined && wake !== status?.observedWake;
}

/** Whether a stopped network must start: its wake annotation or its spec changed since the operator last observed it. */
export function mustWake(network: NetworkResource): boolean {
  return isWakeRequested(network) || network.status?.observedGeneration !== network.metadata.generation;
}

/** Whether a network is stopped or stopping and nobody has asked to wake it yet. */
export function isAsleep(network: NetworkResource): boolean {
  const state = network.status?.state;
  return (state === 'Stopped' || state === 'Stopping') && !isWakeRequested(network);
}

/** Whether a network was asked to wake with this exact value. */
export function hasWakeValue({ metadata }: NetworkResource, value: string): boolean {
  return metadata.annotations?.[annotations.wake] === value;
}

/** The metadata that identifies a network to wake. */
interface WakeTarget {
  uid: string;
  name: string;
  namespace: string;
}

/**
 * Wakes a stopped network the way a user with kubectl does: by its annotation. Any new `value` wakes it. Rejects with
 * Conflict when the network was replaced by another one of the same name.
 */
export async function requestWake(
  kube: Pick<Kube, 'patch'>,
  { uid, name, namespace }: WakeTarget,
  value: string,
): Promise<void> {
  // The uid is a precondition: a network of the same name created in the meantime is left alone.
  const patch = { metadata: { uid, annotations: { [annotations.wake]: value } } };
  await kube.patch(networkType, { namespace, name }, patch);
}
