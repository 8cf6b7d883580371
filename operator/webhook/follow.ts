import {
  networkType,
  outboxType,
  recordingType,
  secretType,
  snapshotType,
  tokenType,
} from '../../core/api/resources/resources.ts';
import { writtenAt } from '../../core/events/eventId.ts';
import { eventsOf } from '../../core/events/eventsOf.ts';
import type { EventResource } from '../../core/events/objectEvent.ts';
import { trimForEvents } from '../../core/events/trimOutbox.ts';
import { backoffMs } from '../../core/kube/backoff.ts';
import { type HistoryItem, readHistory } from '../../core/kube/cache/history.ts';
import type { Kube, ResourceType, Stored } from '../../core/kube/kube.ts';
import { keyOf, parseVersion, strip } from '../../core/kube/objects.ts';
import { type Clock, toRfc3339 } from '../../core/lib/clock.ts';
import { isAppError, messageOf } from '../../core/lib/errors.ts';
import type { Log } from '../../core/lib/log.ts';
import type { SeenEvent } from './render.ts';

type EventObject = Stored<EventResource>;

/** The kinds whose changes are events. Outboxes may be large, so few of them are read at a time. */
export const followedTypes: readonly { type: ResourceType<EventResource>; pageSize: number }[] = [
  { type: networkType, pageSize: 500 },
  { type: tokenType, pageSize: 500 },
  { type: recordingType, pageSize: 500 },
  { type: snapshotType, pageSize: 500 },
  { type: secretType, pageSize: 500 },
  { type: outboxType, pageSize: 20 },
];

export interface FollowOptions {
  kube: Pick<Kube, 'list' | 'watch'>;
  clock: Clock;
  log: Log;
  type: ResourceType<EventResource>;
  pageSize: number;
  /** The revision to begin at. */
  from: string;
  /** Everything up to `version` was read, with these events in it. Reading waits until it resolves. */
  onRead(version: string, events: SeenEvent[]): Promise<void>;
  /** Changes are lost. Resolves with the revision to go on from. */
  onLost(): Promise<string>;
  signal: AbortSignal;
}

/** The server sends a bookmark about every minute: a watch that is silent for longer is dead. */
const idleMs = 150_000;
const backoff = { baseMs: 500, maxMs: 30_000 };

/** Reads every change of a kind in order, from a revision on, until `signal` aborts. Never rejects. */
export async function followKind(options: FollowOptions): Promise<void> {
  const { clock, log, type, signal } = options;
  let version = options.from;
  let failures = 0;
  const onVersion = (next: string) => {
    version = next;
    failures = 0;
  };
  while (!signal.aborted) {
    try {
      await readOnce(options, version, onVersion);
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      const isLost = isAppError(error, 'Conflict') || (failures > 2 && (await isAhead(options, version)));
      log.warn('reading events again', { kind: type.kind, isLost, error: messageOf(error) });
      if (isLost) version = await options.onLost();
      await clock.sleep(backoffMs(failures, backoff), signal).catch(() => undefined);
    }
  }
}

/** Whether the cluster is older than the position, as after a restore: it would never get there. */
async function isAhead({ kube, type }: FollowOptions, version: string): Promise<boolean> {
  const page = await kube.list(type, { limit: 1, isMetadataOnly: true }).catch(() => undefined);
  return page !== undefined && parseVersion(page.resourceVersion) < parseVersion(version);
}

/** The objects as they were at a version, and each change from there until the watch ends. */
async function readOnce(
  options: FollowOptions,
  version: string,
  onVersion: (version: string) => void,
): Promise<void> {
  const { kube, type, pageSize, clock } = options;
  const controller = new AbortController();
  const abort = () => controller.abort();
  options.signal.addEventListener('abort', abort, { once: true });
  if (options.signal.aborted) abort();
  const known = new Map<string, EventObject>();
  let disarm = clock.after(idleMs, abort);
  try {
    const signal = controller.signal;
    const items = readHistory({ kube, type, resourceVersion: version, pageSize, trim, signal });
    for await (const item of items) {
      disarm();
      const read = readItem(known, item, clock.nowMs());
      if (read) {
        await options.onRead(read.version, read.events);
        onVersion(read.version);
      }
      disarm = clock.after(idleMs, abort);
    }
  } finally {
    disarm();
    abort();
    options.signal.removeEventListener('abort', abort);
  }
}

function readItem(
  known: Map<string, EventObject>,
  item: HistoryItem<EventResource>,
  nowMs: number,
): { version: string; events: SeenEvent[] } | undefined {
  if (item.type === 'LISTED') {
    for (const object of item.items) known.set(keyOf(object.metadata), object);
    return undefined;
  }
  if (item.type === 'BOOKMARK') return { version: item.resourceVersion, events: [] };
  const { type, object } = item;
  const key = keyOf(object.metadata);
  const outboxes = { get: (ref: { namespace: string; name: string }) => outboxIn(known, keyOf(ref)) };
  const before = known.get(key);
  const after = strip(object);
  const changes =
    type === 'DELETED'
      ? eventsOf(before && withVersion(before, object), undefined, outboxes)
      : eventsOf(before, after, outboxes);
  if (type === 'DELETED') known.delete(key);
  else known.set(key, trim(object));
  const at = writtenAt(object.metadata) ?? toRfc3339(nowMs);
  const time = type === 'DELETED' ? toRfc3339(nowMs) : at;
  return {
    version: object.metadata.resourceVersion,
    events: changes.map((event) => ({ event, writtenAt: time })),
  };
}

/** What is remembered of an object. */
function trim(object: EventObject): EventObject {
  const stripped = strip(object);
  return stripped.kind === 'Outbox' ? trimForEvents({ ...stripped }) : stripped;
}

/** The last version of a deleted object, at the revision of its deletion. */
function withVersion(object: EventObject, { metadata }: EventObject): EventObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: metadata.resourceVersion } };
}

function outboxIn(known: Map<string, EventObject>, key: string) {
  const found = known.get(key);
  return found?.kind === 'Outbox' ? { ...found } : undefined;
}
