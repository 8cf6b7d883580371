import { annotations, apiVersion } from '../api/names.ts';
import type { NetworkResource } from '../api/resources/network.ts';
import { networkType } from '../api/resources/resources.ts';
import type { Kube } from '../kube/kube.ts';
import { toRfc3339 } from '../lib/clock.ts';
import { messageOf } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { stamped } from '../tracing/stamps.ts';

/** Whether the wake annotation has a value that the operator has not acted on yet. */
export function isWakeRequested({ metadata, status }: NetworkResource): boolean {
  const wake = metadata.annotations?.[annotations.wake];
  return wake !== undefined && wake !== status?.observedWake;
}

/** Whether the stop annotation has a value that the operator has not acted on yet. */
export function isStopRequested({ metadata, status }: NetworkResource): boolean {
  const stop = metadata.annotations?.[annotations.stop];
  return stop !== undefined && stop !== status?.observedStop;
}

/** Whether a stopped network must start: its wake annotation or its spec changed since the operator last observed it. */
export function mustWake(network: NetworkResource): boolean {
  return isWakeRequested(network) || network.status?.observedGeneration !== network.metadata.generation;
}

/** Whether a network is stopped or stopping and nobody has asked to wake it yet. */
export function isAsleep(network: NetworkResource): boolean {
  return isDown(network) && !isWakeRequested(network);
}

/** Whether the status says that a network is stopped or stopping. */
export function isDown({ status }: Pick<NetworkResource, 'status'>): boolean {
  return status?.state === 'Stopped' || status?.state === 'Stopping';
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
  const wanted = { name, namespace, annotations: { [annotations.wake]: value } };
  const { metadata } = stamped({ apiVersion, kind: networkType.kind, metadata: wanted });
  // The uid is a precondition: a network of the same name created in the meantime is left alone.
  const patch = { metadata: { uid, annotations: metadata.annotations } };
  await kube.patch(networkType, { namespace, name }, patch);
}

interface WakeDeps {
  kube: Pick<Kube, 'patch' | 'serverTimeMs'>;
  networks: { find(uid: string): WakeTarget | undefined };
  log: Log;
}

/** Wakes a stopped network by its annotation, as a user of kubectl would. Runs in the background and never throws. */
export function createWake({ kube, networks, log }: WakeDeps): (networkUid: string) => void {
  const write = async (network: WakeTarget): Promise<void> => {
    const time = toRfc3339(await kube.serverTimeMs());
    await requestWake(kube, network, time);
  };
  return (networkUid) => {
    const network = networks.find(networkUid);
    if (!network) return;
    write(network).catch((error) => {
      log.warn('cannot wake a network', { network: network.name, reason: messageOf(error) });
    });
  };
}
