import { idOf } from '../../../../core/api/ids.ts';
import { userLabelsIn } from '../../../../core/api/userLabels.ts';
import type { NetworksByName } from '../../../../core/api/views/networksByName.ts';
import { toNetwork } from '../../../../core/api/views/networkView.ts';
import { toRecording } from '../../../../core/api/views/recordingView.ts';
import { toSecret } from '../../../../core/api/views/secretView.ts';
import { toSnapshot } from '../../../../core/api/views/snapshotView.ts';
import { toToken } from '../../../../core/api/views/tokenView.ts';
import { createdAtOf, eventIdOf } from '../../../../core/events/eventId.ts';
import type { ObjectEvent } from '../../../../core/events/objectEvent.ts';
import { toSubmission } from '../../../../core/outbox/records.ts';
import type { QueuedEvent } from '../../core/batches.ts';
import type { WebhookDeps } from '../deps.ts';

/** An event of the cluster, before it is known who gets it. */
export interface SeenEvent {
  event: ObjectEvent;
  /** When its object was written. */
  writtenAt: string;
}

/** The event as it is sent: its object as REST returns it, without any URL that contains an access key. */
export function renderEvent(
  { eventKey, workspaceOf, caches }: Pick<WebhookDeps, 'eventKey' | 'workspaceOf' | 'caches'>,
  { event, writtenAt }: SeenEvent,
): QueuedEvent {
  const { type, resource, transaction } = event;
  const id = eventIdOf(eventKey, event);
  const createdAt = createdAtOf(event, writtenAt);
  const workspace = workspaceOf(resource.metadata.namespace);
  const networks: NetworksByName = { byName: (namespace, name) => caches.networks.get({ namespace, name }) };
  const object = objectOf(event, workspace, networks);
  // Transactions share an object in the cluster, and are objects of their own to users.
  const key = transaction?.hash ?? idOf(resource);
  return { id, type, key, createdAt, body: JSON.stringify({ id, type, createdAt, workspace, object }) };
}

/** Labels of the object that an event is about: transactions have none. */
export function labelsOf({ resource, transaction }: ObjectEvent): Record<string, string> | undefined {
  return transaction ? undefined : userLabelsIn(resource).labels;
}

function objectOf(
  { resource, transaction }: ObjectEvent,
  workspaceId: string,
  networks: NetworksByName,
): object {
  if (transaction) return toSubmission(transaction);
  if (resource.kind === 'Network') {
    const network = toNetwork(resource, { workspaceId, endpoints: undefined });
    const { endpoints: _, ...status } = network.status ?? {};
    return { ...network, status };
  }
  if (resource.kind === 'Token') return toToken(resource, networks);
  if (resource.kind === 'Recording') return toRecording(resource, networks);
  if (resource.kind === 'Snapshot') return toSnapshot(resource, workspaceId);
  return resource.kind === 'Secret' ? toSecret(resource, workspaceId) : {};
}
