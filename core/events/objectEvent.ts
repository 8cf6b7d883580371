import type { EventType } from '../api/events/eventTypes.ts';
import type { NetworkResource } from '../api/resources/network.ts';
import type { OutboxResource } from '../api/resources/outbox.ts';
import type { RecordingResource } from '../api/resources/recordingResource.ts';
import type { SecretResource } from '../api/resources/secret.ts';
import type { SnapshotResource } from '../api/resources/snapshot.ts';
import type { TokenResource } from '../api/resources/tokenResource.ts';
import type { Stored } from '../kube/kube.ts';
import type { SubmissionRecord } from '../outbox/records.ts';

/** The stored kinds whose changes are events. */
export type EventResource =
  | NetworkResource
  | TokenResource
  | OutboxResource
  | RecordingResource
  | SnapshotResource
  | SecretResource;

/** What happened to an object, before it is rendered for whoever may know it. */
export interface ObjectEvent {
  type: EventType;
  /** The version after the change; of a deleted object the last one. */
  resource: Stored<EventResource>;
  /** The transaction, for events of transactions: their resource is where it is stored. */
  transaction?: SubmissionRecord;
}
