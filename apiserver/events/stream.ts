import { randomUUID } from 'node:crypto';
import type { StreamEventType } from '../../core/api/events/eventTypes.ts';
import { presentEvents } from '../../core/events/eventsOf.ts';
import type { EventLog, Position } from '../../core/events/log/eventLog.ts';
import { readNext } from '../../core/events/log/readNext.ts';
import type { Entry, LoggedEvent } from '../../core/events/log/segment.ts';
import type { EventResource } from '../../core/events/objectEvent.ts';
import { type Reader, type RenderDeps, renderEvent } from '../../core/events/render.ts';
import type { LogName } from '../../core/events/watchedTypes.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { type Clock, toRfc3339 } from '../../core/lib/clock.ts';
import { type Bell, createBell } from '../../core/lib/work/bell.ts';
import type { EventFilter } from './filter.ts';
import type { EventMetrics } from './metrics.ts';
import type { PositionIds } from './positions.ts';

export interface StreamDeps extends RenderDeps {
  eventLog: EventLog;
  ids: PositionIds;
  metrics: Pick<EventMetrics, 'sent' | 'reset'>;
  clock: Clock;
}

export interface StreamRequest {
  namespace: string;
  reader: Reader;
  filter: EventFilter;
  /** The logs that have what the filter lets through. */
  wanted: readonly LogName[];
  /** Last-Event-ID; undefined for a stream that begins with everything that exists. */
  lastEventId: string | undefined;
  /** Whether changes follow. */
  isFollowed: boolean;
  signal: AbortSignal;
}

const heartbeatMs = 15_000;
/** Clients whose streams end together come back one after the other. */
const retry = { minMs: 500, spreadMs: 2000 };
const partLength = 32 * 1024;

/** The stream as text, in parts of a bounded length. Ends when `signal` aborts. */
export async function* streamEvents(deps: StreamDeps, request: StreamRequest): AsyncGenerator<string> {
  const { lastEventId, signal, reader, namespace } = request;
  const bell = createBell(deps.clock, signal);
  const endNews = deps.eventLog.onNews(namespace, bell.ring);
  let isReset = lastEventId !== undefined;
  let position = isReset ? deps.ids.open(reader.workspaceId, lastEventId ?? '') : undefined;
  try {
    yield `retry: ${retry.minMs + Math.floor(Math.random() * retry.spreadMs)}\n\n`;
    while (!signal.aborted) {
      position ??= yield* begin(deps, request, isReset);
      const outcome = yield* follow(deps, request, { from: position, bell });
      if (outcome === 'ended') return;
      [isReset, position] = [true, undefined];
    }
  } finally {
    endNews();
  }
}

/** Everything that exists; returns the position of exactly that state. */
async function* begin(
  deps: StreamDeps,
  request: StreamRequest,
  isReset: boolean,
): AsyncGenerator<string, Position> {
  if (isReset) deps.metrics.reset();
  if (isReset) yield controlOf(deps, request, 'stream.reset');
  const { position, texts } = takeSnapshot(deps, request);
  yield* inParts(texts);
  yield idOf(deps, request, position) + controlOf(deps, request, 'stream.ready');
  return position;
}

interface Following {
  from: Position;
  bell: Bell;
}

/** Changes as they happen. Without an event for 15 seconds, a heartbeat says how far the stream is. */
async function* follow(
  deps: StreamDeps,
  request: StreamRequest,
  { from, bell }: Following,
): AsyncGenerator<string, 'ended' | 'lost'> {
  const { clock } = deps;
  let position = from;
  let sentMs = clock.nowMs();
  while (!request.signal.aborted) {
    const next = await readNext(deps.eventLog, request, position);
    if (next === 'lost') return 'lost';
    for (const part of inParts(textsOf(deps, request, { entries: next.entries, from: position }))) {
      yield part;
      sentMs = clock.nowMs();
    }
    position = next.position;
    if (next.entries.length > 0) continue;
    if (!request.isFollowed) break;
    if (clock.nowMs() - sentMs >= heartbeatMs) {
      yield `: heartbeat\n${idOf(deps, request, position)}\n`;
      sentMs = clock.nowMs();
    }
    await bell.wait(Math.max(0, sentMs + heartbeatMs - clock.nowMs()));
  }
  return 'ended';
}

function idOf({ ids }: StreamDeps, { reader }: StreamRequest, position: Position): string {
  return `id: ${ids.seal(reader.workspaceId, position)}\n`;
}

const dataOf = (text: string) => `data: ${text}\n\n`;

/** An event of the stream itself. */
function controlOf({ clock }: StreamDeps, { reader }: StreamRequest, type: StreamEventType): string {
  const [id, createdAt] = [`evt_${randomUUID()}`, toRfc3339(clock.nowMs())];
  return dataOf(JSON.stringify({ id, type, createdAt, workspace: reader.workspaceId }));
}

/** What exists now, rendered when it is sent, and the position of exactly that state. */
function takeSnapshot(deps: StreamDeps, request: StreamRequest) {
  const { eventLog, metrics } = deps;
  const { namespace, filter, reader } = request;
  const found = request.wanted.map((name) => ({
    log: eventLog.logs[name],
    objects: eventLog.logs[name].objectsIn(namespace),
  }));
  const texts = function* () {
    for (const { log, objects } of found) {
      for (const object of objects) {
        const selected = presentOf(object, log.outboxes).filter(filter);
        metrics.sent(selected.length);
        for (const event of selected) yield dataOf(renderEvent(deps, event, reader));
      }
    }
  };
  return { position: eventLog.position(), texts: texts() };
}

/** By object, which is replaced when it changes: what was rendered serves all streams that begin. */
const known = new WeakMap<Stored<EventResource>, LoggedEvent[]>();

function presentOf(
  object: Stored<EventResource>,
  outboxes: Parameters<typeof presentEvents>[1],
): LoggedEvent[] {
  const found = known.get(object);
  if (found) return found;
  const at = object.metadata.creationTimestamp;
  const events = presentEvents(object, outboxes).map((event) => ({ ...event, at }));
  known.set(object, events);
  return events;
}

interface Batch {
  entries: readonly (Entry & { log: LogName })[];
  from: Position;
}

/** The events of a batch, each with the position after it. */
function* textsOf(deps: StreamDeps, request: StreamRequest, { entries, from }: Batch): Generator<string> {
  const revisions = { ...from.revisions };
  for (const { log, revision, events } of entries) {
    const isPartly = from.partly?.log === log && from.partly.revision === revision;
    const selected = [...events.entries()].filter(([, event]) => request.filter(event));
    const last = selected.at(-1)?.[0];
    for (const [at, event] of selected) {
      if (isPartly && at < (from.partly?.sent ?? 0)) continue;
      if (at === last) revisions[log] = revision;
      const position = at === last ? { revisions } : { revisions, partly: { log, revision, sent: at + 1 } };
      deps.metrics.sent(1);
      yield idOf(deps, request, position) + dataOf(renderEvent(deps, event, request.reader));
    }
    revisions[log] = revision;
  }
}

function* inParts(texts: Iterable<string>): Generator<string> {
  let part = '';
  for (const text of texts) {
    part += text;
    if (part.length < partLength) continue;
    yield part;
    part = '';
  }
  if (part !== '') yield part;
}
