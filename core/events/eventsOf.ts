import { isDeepStrictEqual } from 'node:util';
import type { EventType } from '../api/events/eventTypes.ts';
import type { KubeMeta } from '../api/resources/kubeObject.ts';
import type { NetworkResource } from '../api/resources/network.ts';
import type { RecordingResource } from '../api/resources/recordingResource.ts';
import type { SnapshotResource } from '../api/resources/snapshot.ts';
import type { TokenResource } from '../api/resources/tokenResource.ts';
import { userLabelsIn } from '../api/userLabels.ts';
import type { Stored } from '../kube/kube.ts';
import type { OutboxFinder } from '../outbox/records.ts';
import type { EventResource, ObjectEvent } from './objectEvent.ts';
import { openTransactions, transactionEvents } from './transactionEvents.ts';

/**
 * The events in a change from one stored version of an object to the next; `undefined` is an object that does not exist.
 * A pure function, so that every process derives the same events from the same change. `outboxes` finds the parts of
 * large batches of transactions, which are written before the sender queue names them.
 */
export function eventsOf(
  before: Stored<EventResource> | undefined,
  after: Stored<EventResource> | undefined,
  outboxes: OutboxFinder,
): ObjectEvent[] {
  if (before && after && before.metadata.uid !== after.metadata.uid) {
    return [...eventsOf(before, undefined, outboxes), ...eventsOf(undefined, after, outboxes)];
  }
  const resource = after ?? before;
  if (!resource) return [];
  if (resource.kind === 'Outbox') {
    const [one, other] = [before, after].map((object) => (object?.kind === 'Outbox' ? object : undefined));
    return transactionEvents(one, other, outboxes);
  }
  const kind = prefixes[resource.kind];
  if (!before) return [{ type: `${kind}.created`, resource }];
  if (!after) return [{ type: `${kind}.deleted`, resource }];
  return changesOf(before, after).map((type) => ({ type, resource }));
}

/** The events for an object that exists, at the start of a stream: one for each object, or open transaction. */
export function presentEvents(resource: Stored<EventResource>, outboxes: OutboxFinder): ObjectEvent[] {
  if (resource.kind === 'Outbox') return openTransactions(resource, outboxes);
  return [{ type: `${prefixes[resource.kind]}.present`, resource }];
}

const prefixes = {
  Network: 'network',
  Token: 'token',
  Recording: 'recording',
  Snapshot: 'snapshot',
  Secret: 'secret',
} as const;

function changesOf(before: EventResource, after: EventResource): EventType[] {
  if (before.kind === 'Network' && after.kind === 'Network') return networkChanges(before, after);
  if (before.kind === 'Token' && after.kind === 'Token') return tokenChanges(before, after);
  if (before.kind === 'Recording' && after.kind === 'Recording') return recordingChanges(before, after);
  if (before.kind === 'Snapshot' && after.kind === 'Snapshot') return snapshotChanges(before, after);
  return isUpdated(before, after) ? ['secret.updated'] : [];
}

/** Whether the spec or the user's labels changed. Writes of the status do not count as a generation. */
function isUpdated(before: { metadata: KubeMeta }, after: { metadata: KubeMeta }): boolean {
  const isSameSpec = before.metadata.generation === after.metadata.generation;
  return !isSameSpec || !isDeepStrictEqual(userLabelsIn(before), userLabelsIn(after));
}

const networkStateEvents = {
  Pending: 'network.pending',
  Operational: 'network.operational',
  Stopping: 'network.stopping',
  Stopped: 'network.stopped',
  Error: 'network.error',
} as const;

function networkChanges(before: NetworkResource, after: NetworkResource): EventType[] {
  const updated: EventType[] = isUpdated(before, after) ? ['network.updated'] : [];
  const state = after.status?.state ?? 'Pending';
  if (state !== (before.status?.state ?? 'Pending')) return [...updated, networkStateEvents[state]];
  const [old, now] = [before, after].map(({ status = {} }) => {
    const { lastActivityAt: _, observedGeneration: __, state: ___, execution, ...rest } = status;
    return { execution, rest };
  });
  if (!isDeepStrictEqual(old?.execution, now?.execution)) return [...updated, 'network.step'];
  return isDeepStrictEqual(old?.rest, now?.rest) ? updated : [...updated, 'network.status'];
}

const deploymentEvents = {
  Pending: 'token.pending',
  Deploying: 'token.deploying',
  Deployed: 'token.deployed',
  Lost: 'token.lost',
  Error: 'token.error',
} as const;

function tokenChanges(before: TokenResource, after: TokenResource): EventType[] {
  const updated: EventType[] = isUpdated(before, after) ? ['token.updated'] : [];
  const stateIn = (token: TokenResource, network: string) =>
    token.status?.deployments?.find((one) => one.network === network)?.state;
  const changed = (after.status?.deployments ?? []).flatMap(({ network, state }) =>
    state !== undefined && state !== stateIn(before, network) ? [deploymentEvents[state]] : [],
  );
  if (changed.length > 0) return [...updated, ...new Set(changed)];
  const [old, now] = [before, after].map(({ status }) => status?.deployments ?? []);
  return isDeepStrictEqual(old, now) ? updated : [...updated, 'token.status'];
}

function recordingChanges(before: RecordingResource, after: RecordingResource): EventType[] {
  const updated: EventType[] = isUpdated(before, after) ? ['recording.updated'] : [];
  const state = after.status?.state ?? 'recording';
  if (state === 'recorded' && before.status?.state !== 'recorded') return [...updated, 'recording.stopped'];
  return isSameStatus(before, after) ? updated : [...updated, 'recording.status'];
}

const snapshotStateEvents = {
  Pending: 'snapshot.status',
  Ready: 'snapshot.ready',
  Failed: 'snapshot.failed',
} as const;

function snapshotChanges(before: SnapshotResource, after: SnapshotResource): EventType[] {
  const updated: EventType[] = isUpdated(before, after) ? ['snapshot.updated'] : [];
  const state = after.status?.state ?? 'Pending';
  if (state !== (before.status?.state ?? 'Pending')) return [...updated, snapshotStateEvents[state]];
  return isSameStatus(before, after) ? updated : [...updated, 'snapshot.status'];
}

function isSameStatus(
  { status: old = {} }: { status?: { observedGeneration?: number | undefined } },
  { status: now = {} }: { status?: { observedGeneration?: number | undefined } },
): boolean {
  const { observedGeneration: _, ...before } = old;
  const { observedGeneration: __, ...after } = now;
  return isDeepStrictEqual(before, after);
}
