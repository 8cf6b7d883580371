import { writtenAt } from '../../../../core/events/eventId.ts';
import { eventsOf } from '../../../../core/events/eventsOf.ts';
import type { EventResource } from '../../../../core/events/objectEvent.ts';
import { trimForEvents } from '../../../../core/events/trimOutbox.ts';
import { pageSizeOf, watchedTypes } from '../../../../core/events/watchedTypes.ts';
import { type HistoryItem, readHistory } from '../../../../core/kube/cache/history.ts';
import type { Kube, ResourceType, Stored } from '../../../../core/kube/kube.ts';
import { keyOf, parseVersion, strip } from '../../../../core/kube/objects.ts';
import { listPages } from '../../../../core/kube/pages.ts';
import { type Clock, toRfc3339 } from '../../../../core/lib/clock.ts';
import { isAppError, messageOf } from '../../../../core/lib/errors.ts';
import type { Log } from '../../../../core/lib/log.ts';
import { backoffMs } from '../../../../core/lib/work/backoff.ts';
import type { SeenEvent } from './render.ts';

type EventObject = Stored<EventResource>;

/** The kinds whose changes are events. Outboxes may be large, so few of them are read at a time. */
export const followedTypes: readonly { type: ResourceType<EventResource>; pageSize: number }[] =
  Object.values(watchedTypes).map((type) => ({
    type: type as ResourceType<EventResource>,
    pageSize: pageSizeOf(type),
  }));

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
  /** Changes are lost. */
  onLost(): Promise<void>;
  signal: AbortSignal;
}

/** The server sends a bookmark about every minute: a watch that is silent for longer is dead. */
const idleMs = 150_000;
const backoff = { baseMs: 500, maxMs: 30_000 };

/** Reads every change of a kind in order, from a revision on, until `signal` aborts. Never rejects. */
export async function followKind(options: FollowOptions): Promise<void> {
  const { clock, log, type, signal } = options;
  const state: FollowState = { version: options.from, failures: 0, known: undefined };
  while (!signal.aborted) {
    try {
      await readOnce(options, state);
    } catch (error) {
      if (signal.aborted) return;
      state.failures += 1;
      log.debug('reading events again', { kind: type.kind, error: messageOf(error) });
      if (await isPast(options, state, error)) await skip(options, state).catch(() => undefined);
      await clock.sleep(backoffMs(state.failures, backoff), signal).catch(() => undefined);
    }
  }
}

interface FollowState {
  /** Up to which revision everything was read. */
  version: string;
  failures: number;
  /** The objects at that revision; undefined while they are not known. */
  known: Map<string, EventObject> | undefined;
}

/** Whether the changes after the position cannot be read any more, or the cluster was restored to an older state. */
async function isPast(
  { kube, type }: FollowOptions,
  { version, failures }: FollowState,
  error: unknown,
): Promise<boolean> {
  if (isAppError(error, 'Conflict')) return true;
  if (failures < 3) return false;
  const page = await kube.list(type, { limit: 1, isMetadataOnly: true }).catch(() => undefined);
  return page !== undefined && parseVersion(page.resourceVersion) < parseVersion(version);
}

/**
 * Goes on from the present. The last change of each object is found by comparison. If nothing changed, as after a
 * restart of kube-apiserver, which forgets what it could have told, nothing is lost either.
 */
async function skip(options: FollowOptions, state: FollowState): Promise<void> {
  const { known } = state;
  const { items, version } = await listNow(options);
  const now = new Map(items.map((object) => [keyOf(object.metadata), object]));
  const reader = { known: now, nowMs: options.clock.nowMs() };
  const changed = known
    ? items.filter((object) => isOther(known.get(keyOf(object.metadata)), object))
    : items;
  const gone = known ? [...known].filter(([key]) => !now.has(key)).map(([, object]) => object) : [];
  // Too little is remembered of transactions to know what became of them: the gap stands for that.
  const isCompared = known !== undefined && options.type.kind !== 'Outbox';
  const pairs: [EventObject | undefined, EventObject | undefined][] = [
    ...changed.map((object): [EventObject | undefined, EventObject] => [
      known?.get(keyOf(object.metadata)),
      object,
    ]),
    ...gone.map((object): [EventObject, undefined] => [object, undefined]),
  ];
  const events = pairs.flatMap(([before, after]) => (isCompared ? changesIn(reader, before, after) : []));
  if (!known || changed.length > 0 || gone.length > 0) await options.onLost();
  await options.onRead(version, events);
  Object.assign(state, { version, known: now });
}

function isOther(before: EventObject | undefined, after: EventObject): boolean {
  return before?.metadata.resourceVersion !== after.metadata.resourceVersion;
}

async function listNow({ kube, type, pageSize }: FollowOptions) {
  const items: EventObject[] = [];
  let version = '';
  for await (const page of listPages(kube, type, { limit: pageSize })) {
    items.push(...page.items.map(trim));
    version = page.resourceVersion;
  }
  return { items, version };
}

/** The objects as they were at the position, and each change from there until the watch ends. */
async function readOnce(options: FollowOptions, state: FollowState): Promise<void> {
  const { kube, type, pageSize, clock } = options;
  const controller = new AbortController();
  const abort = () => controller.abort();
  options.signal.addEventListener('abort', abort, { once: true });
  if (options.signal.aborted) abort();
  let disarm = clock.after(idleMs, abort);
  try {
    const { signal } = controller;
    const items = readHistory({ kube, type, resourceVersion: state.version, pageSize, trim, signal });
    for await (const item of items) {
      disarm();
      await take(options, state, item);
      if (signal.aborted) return;
      disarm = clock.after(idleMs, abort);
    }
  } finally {
    disarm();
    abort();
    options.signal.removeEventListener('abort', abort);
  }
}

async function take(
  { clock, onRead }: FollowOptions,
  state: FollowState,
  item: HistoryItem<EventResource>,
): Promise<void> {
  if (item.type === 'LISTED') {
    state.known = new Map(item.items.map((object) => [keyOf(object.metadata), object]));
    return;
  }
  const known = state.known ?? new Map<string, EventObject>();
  const isObject = item.type !== 'BOOKMARK';
  const version = isObject ? item.object.metadata.resourceVersion : item.resourceVersion;
  await onRead(version, isObject ? readChange({ known, nowMs: clock.nowMs() }, item) : []);
  Object.assign(state, { version, failures: 0 });
}

interface Reader {
  known: Map<string, EventObject>;
  nowMs: number;
}

/** The events in one change, which is then known. */
function readChange(
  reader: Reader,
  { type, object }: Extract<HistoryItem<EventResource>, { object: unknown }>,
): SeenEvent[] {
  const { known } = reader;
  const key = keyOf(object.metadata);
  const before = known.get(key);
  if (type === 'DELETED') {
    known.delete(key);
    return changesIn(reader, before && withVersion(before, object), undefined);
  }
  const events = changesIn(reader, before, object);
  known.set(key, trim(object));
  return events;
}

function changesIn(
  { known, nowMs }: Reader,
  before: EventObject | undefined,
  after: EventObject | undefined,
): SeenEvent[] {
  const outboxes = { get: (ref: { namespace: string; name: string }) => outboxIn(known, keyOf(ref)) };
  const at = (after && writtenAt(after.metadata)) ?? toRfc3339(nowMs);
  const events = eventsOf(before, after && strip(after), outboxes);
  return events.map((event) => ({ event, writtenAt: at }));
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
