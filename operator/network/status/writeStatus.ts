import type { NetworkResource } from '../../../core/api/resources/network.ts';
import { networkType } from '../../../core/api/resources/resources.ts';
import type { Reflector } from '../../../core/kube/cache/reflector.ts';
import type { EventRecorder } from '../../../core/kube/events/recorder.ts';
import type { Kube, Stored } from '../../../core/kube/kube.ts';
import { toRfc3339 } from '../../../core/lib/clock.ts';
import { compact } from '../../../core/lib/compact.ts';
import { isDown } from '../../../core/networks/wake.ts';
import type { KeyEpochs } from '../../ids/keyEpochs.ts';
import type { DesiredStatus } from '../lifecycle/context.ts';
import type { StopLimit } from '../lifecycle/stopLimit.ts';
import { eventsOf } from './events.ts';
import { readyReasonOf, stopRequested } from './ready.ts';
import { statusPatch } from './status.ts';

export interface StatusDeps {
  kube: Pick<Kube, 'patch'>;
  caches: { networks: Pick<Reflector<NetworkResource>, 'observe'> };
  events: EventRecorder;
  stopLimit: StopLimit;
  /** If absent, no rotation is remembered beyond its network. */
  keyEpochs?: Pick<KeyEpochs, 'keep'>;
}

interface StatusWrite {
  network: Stored<NetworkResource>;
  status: DesiredStatus;
  nowMs: number;
}

/** Written before acting, so that an interrupted reconcile leaves a correct status. */
export async function writeStatus(
  deps: StatusDeps,
  { network, status: desired, nowMs }: StatusWrite,
): Promise<void> {
  await deps.keyEpochs?.keep(network, desired.accessKeys);
  const patch = statusPatch(network.status, desired);
  if (!patch) return;
  const { namespace, name, uid } = network.metadata;
  const isFirst = network.status?.lastActivityAt === undefined;
  // Whoever woke it has just begun to use it.
  const isAwake = desired.lastWakeUpAt !== network.status?.lastWakeUpAt;
  const activity = isFirst || isAwake ? { lastActivityAt: toRfc3339(nowMs) } : {};
  // The uid is a precondition: a new network with the same name keeps its own status.
  const body = { metadata: { uid }, status: { ...activity, ...patch } };
  deps.caches.networks.observe(await deps.kube.patch(networkType, { namespace, name }, body, 'status'));
  if (isIdleStop(network, desired)) deps.stopLimit.count(nowMs);
  for (const event of eventsOf(network, desired)) deps.events.record(network, event);
}

function isIdleStop({ metadata, status }: Stored<NetworkResource>, desired: DesiredStatus): boolean {
  if (desired.state !== 'Stopping' || readyReasonOf(desired) === stopRequested) return false;
  return !isDown(compact({ status })) && !metadata.deletionTimestamp;
}
