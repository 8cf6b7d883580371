import { discard } from '../answer.ts';
import type { Open } from '../call.ts';
import { isSlipwayError, SlipwayError } from '../error.ts';
import type { Event, EventObjects } from '../generated/types.ts';
import { backoffMs, isPassing } from '../retry.ts';
import { type Runtime, sleep } from '../runtime.ts';
import { partsOf } from './parts.ts';
import { createParser, type Message } from './serverSentEvents.ts';

type Kind = keyof EventObjects;

/**
 * What happened, as streams and webhooks deliver it. Its type decides on its object: `network.error` has a Network. A
 * later version of the service may send other types.
 */
export type SlipwayEvent =
  | {
      [K in Kind]: Omit<Event, 'type' | 'object'> & { type: `${K}.${string}`; object: EventObjects[K] };
    }[Kind]
  | (Omit<Event, 'type' | 'object'> & { type: `stream.${string}`; object?: undefined });

/** An event as a stream yields it. Another stream with its `lastEventId` goes on after it. */
export type StreamedEvent = SlipwayEvent & { lastEventId: string };

export interface StreamOptions {
  /** Types, or kinds such as `network.*`; all when absent. */
  types?: readonly (Event['type'] | `${Kind}.*`)[] | undefined;
  /** As for lists. */
  selector?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Goes on after the event with this id, which another stream ended with. */
  lastEventId?: string | undefined;
  workspace?: string | undefined;
  /** Told each failure that the stream outlives by another connection. What it throws ends the stream. */
  onReconnect?: ((error: SlipwayError | undefined) => void) | undefined;
}

export interface Events {
  /**
   * The events of the workspace: first what exists, then changes, without end. Goes on by itself after a lost
   * connection, from the last event; `stream.reset` says that changes are lost and everything follows again. Throws
   * SlipwayError for what does not pass (401, 403, 400), and the reason of `signal` once that is aborted.
   */
  stream(options?: StreamOptions): AsyncGenerator<StreamedEvent, void, undefined>;
}

/** The service sends something every 15 seconds. */
const quietMs = 45_000;
const firstWaitMs = 1_000;
const longestWaitMs = 30_000;

const eventsPath = '/v1alpha/events';

export function createEvents(open: Open, runtime: Runtime): Events {
  return { stream: (options = {}) => stream({ open, runtime }, options) };
}

interface Surroundings {
  open: Open;
  runtime: Runtime;
}

/** What a connection leaves to the next one. */
interface Progress {
  lastId: string;
  retryMs: number;
  /** Connections in a row that brought nothing. */
  failures: number;
}

async function* stream(
  surroundings: Surroundings,
  options: StreamOptions,
): AsyncGenerator<StreamedEvent, void, undefined> {
  const { signal } = options;
  const progress: Progress = { lastId: options.lastEventId ?? '', retryMs: firstWaitMs, failures: 0 };
  for (;;) {
    let failure: SlipwayError | undefined;
    try {
      yield* connection(surroundings, options, progress);
    } catch (error) {
      failure = passingFailure(error, signal);
    }
    options.onReconnect?.(failure);
    await sleep(surroundings.runtime, waitMs(surroundings.runtime, progress, failure), signal);
    progress.failures += 1;
  }
}

/** The events of one connection, until it ends. */
async function* connection(
  { open, runtime }: Surroundings,
  { types, selector, signal, workspace }: StreamOptions,
  progress: Progress,
): AsyncGenerator<StreamedEvent, void, undefined> {
  const response = await open('GET', eventsPath, {
    query: { types: types?.join(','), selector },
    accept: 'text/event-stream',
    // A cache in between must not answer.
    headers: {
      'Cache-Control': 'no-store',
      ...(progress.lastId ? { 'Last-Event-ID': progress.lastId } : {}),
    },
    signal,
    workspace,
  });
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) throw noStream(response);
  const parse = createParser();
  for await (const part of partsOf(response, runtime, quietMs)) {
    const { messages, lastId, retryMs } = parse(part);
    progress.retryMs = retryMs ?? progress.retryMs;
    progress.failures = 0;
    progress.lastId = lastId || progress.lastId;
    for (const message of messages) yield eventOf(message);
  }
}

function noStream(response: Response): SlipwayError {
  discard(response);
  const { status } = response;
  return new SlipwayError('the answer is not a stream of events', { status, reason: 'InvalidAnswer' });
}

function eventOf({ data, lastId }: Message): StreamedEvent {
  try {
    return { ...JSON.parse(data), lastEventId: lastId };
  } catch (cause) {
    throw new SlipwayError('an event is not valid JSON', { status: 200, reason: 'InvalidAnswer', cause });
  }
}

/** The failure when another connection may succeed; throws what ends the stream. */
function passingFailure(error: unknown, signal: AbortSignal | undefined): SlipwayError {
  if (signal?.aborted) throw signal.reason;
  if (isSlipwayError(error) && (isPassing(error) || error.reason === 'Timeout')) return error;
  throw error;
}

function waitMs(
  runtime: Runtime,
  { retryMs, failures }: Progress,
  failure: SlipwayError | undefined,
): number {
  const backoff = { baseMs: retryMs, maxMs: longestWaitMs };
  return Math.max(backoffMs(runtime, failures, backoff), failure?.retryAfterMs ?? 0);
}
