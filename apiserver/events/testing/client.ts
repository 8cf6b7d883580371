import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { credentialsOf } from '../../testing/harness.ts';
import { createSightings } from './sightings.ts';

export interface Received {
  type: string;
  id: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read objects of any kind.
  object?: any;
}

/** A client of the event stream: what it received, in order, and where it would resume. */
export interface EventClient {
  events: Received[];
  /** Where a client that has received the event at the same index would resume. */
  positions: (string | undefined)[];
  types(): string[];
  lastEventId(): string | undefined;
  /** Resolves with the next id that the stream sends. */
  nextId(): Promise<string>;
  status: number;
  /** Resolves with the first event that fits, now or later. */
  saw(type: string, fits?: (event: Received) => boolean): Promise<Received>;
  /** Resolves when the server has ended the stream, or the connection is cut. */
  ended: Promise<void>;
  /** Stops and resumes taking what the server sends. */
  pause(): void;
  resume(): void;
  close(): void;
}

interface EventClientOptions {
  as?: string;
  query?: string;
  lastEventId?: string | undefined;
  headers?: Record<string, string>;
}

export async function openEvents(url: string, options: EventClientOptions = {}): Promise<EventClient> {
  const { as = 'ann', query = '', lastEventId } = options;
  const { events, add, saw } = createSightings<Received>();
  const positions: (string | undefined)[] = [];
  const waiting = new Set<() => void>();
  let last = lastEventId;
  const request = get(`${url}/v1alpha/events${query}`, {
    agent: false,
    headers: {
      ...(options.headers ?? credentialsOf(as)),
      ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
    },
  });
  request.on('error', () => undefined);
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  answer.on('error', () => undefined);
  let rest = '';
  answer.setEncoding('utf8').on('data', (text: string) => {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const lines = block.split('\n');
      const field = (name: string) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      last = field('id') ?? last;
      const data = field('data');
      if (data === undefined) continue;
      positions.push(last);
      add(JSON.parse(data));
    }
    for (const check of waiting) check();
  });
  const ended = new Promise<void>((resolve) => void answer.once('close', () => resolve()));
  return {
    events,
    positions,
    types: () => events.map(({ type }) => type),
    lastEventId: () => last,
    nextId() {
      const before = last;
      return new Promise((resolve) => {
        const check = () => {
          if (last === undefined || last === before) return;
          waiting.delete(check);
          resolve(last);
        };
        waiting.add(check);
      });
    },
    status: answer.statusCode ?? 0,
    saw,
    ended,
    pause: () => void answer.pause(),
    resume: () => void answer.resume(),
    close: () => void request.destroy(),
  };
}
