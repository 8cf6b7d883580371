import type { Keyring } from '../../core/accounts/keyring.ts';
import type { NetworksByName } from '../../core/api/views/networksByName.ts';
import type { EventLog } from '../../core/events/log/eventLog.ts';
import type { Reader } from '../../core/events/render.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { isAppError } from '../../core/lib/errors.ts';
import type { Principal } from '../http/auth/principal.ts';
import { openHold } from '../http/limits/account.ts';
import type { MemoryBudget } from '../http/limits/memoryBudget.ts';
import type { Handler, Handlers } from '../http/pipeline/handler.ts';
import { type EndpointsOf, isWriter } from '../networks/endpoints.ts';
import { createFilter } from './filter.ts';
import type { EventMetrics } from './metrics.ts';
import { createPositionIds } from './positions.ts';
import { type StreamDeps, streamEvents } from './stream.ts';
import type { OpenStream, Streams } from './streams.ts';

export interface EventHandlersOptions {
  eventLog: EventLog;
  streams: Streams;
  /** The keys of cursors, which seal positions. */
  keyring: Keyring;
  /** Makes the ids of events. */
  eventKey: Uint8Array;
  endpointsOf: EndpointsOf;
  networks: NetworksByName;
  memory: MemoryBudget;
  /** The uid of a workspace's object. */
  workspaceUid: (workspaceId: string) => string | undefined;
  metrics: EventMetrics;
  clock: Clock;
}

export function createEventHandlers(options: EventHandlersOptions) {
  const { eventLog, keyring, eventKey, networks, workspaceUid, metrics, clock } = options;
  const ids = createPositionIds(keyring, workspaceUid);
  const deps = { eventLog, eventKey, networks, metrics, clock, ids };
  return { streamEvents: openStream(options, deps) } satisfies Handlers;
}

/** How long a client may take nothing before its stream ends: it resumes when it can. */
const idleMs = 30_000;

function openStream(options: EventHandlersOptions, deps: StreamDeps): Handler<'streamEvents'> {
  return async ({ principal, query, lastEventId }) => {
    const { namespace } = principal;
    const selection = createFilter(query ?? {}, principal);
    const stream = options.streams.open(principal);
    const text = streamEvents(deps, {
      namespace,
      reader: readerOf(options, principal),
      ...selection,
      lastEventId: lastEventId ?? query?.lastEventId,
      isFollowed: query?.follow !== 'false',
      signal: stream.signal,
    });
    return {
      text: withinBudget(options, { text, stream, principal }),
      isEndless: true,
      idleMs,
    };
  };
}

/** Only who may write sees the URLs that change chains by hand. */
function readerOf({ endpointsOf }: EventHandlersOptions, principal: Principal): Reader {
  const canWrite = isWriter(principal);
  return {
    workspaceId: principal.workspaceId,
    class: canWrite ? 'writer' : 'reader',
    endpointsOf: (network) => endpointsOf(network, canWrite),
  };
}

interface CountedStream {
  text: AsyncGenerator<string>;
  stream: OpenStream;
  principal: Principal;
}

/**
 * Counts the part that is on its way to the client as memory of the account, and ends the stream when there is none left.
 * It can be returned while it waits for the next event.
 */
function withinBudget(
  { memory, metrics }: EventHandlersOptions,
  { text, stream, principal }: CountedStream,
): AsyncIterable<string> {
  const hold = openHold(memory, principal);
  let held = 0;

  async function end(): Promise<IteratorReturnResult<undefined>> {
    stream.end();
    hold.release();
    void text.return(undefined);
    return { value: undefined, done: true };
  }

  async function next(): Promise<IteratorResult<string>> {
    hold.give(held);
    held = 0;
    const part = await text.next();
    if (part.done) return end();
    try {
      hold.take(part.value.length);
      held = part.value.length;
      return part;
    } catch (error) {
      if (!isAppError(error, 'Unavailable')) throw error;
      metrics.ended('memory');
      return end();
    }
  }

  return { [Symbol.asyncIterator]: () => ({ next, return: end }) };
}
