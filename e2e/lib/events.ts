import { createSightings } from '../../apiserver/events/testing/sightings.ts';
import { serviceUrl, token } from './service.ts';

interface StreamedEvent {
  id: string;
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: an assertion on a missing member fails with a clear message
  object?: any;
}

/** A client that follows the events of the default workspace, and goes on after each cut of its stream. */
export interface Follower {
  events: StreamedEvent[];
  /** How often it has connected. */
  connections(): number;
  /** Resolves with the first event that fits, now or later. */
  saw(type: string, fits?: (event: StreamedEvent) => boolean): Promise<StreamedEvent>;
  stop(): Promise<void>;
}

/** Reads by `fetch`, as the page of a browser would, through the ingress. */
export function followEvents(query: string): Follower {
  const { events, add, saw } = createSightings<StreamedEvent>();
  const stop = new AbortController();
  let lastEventId: string | undefined;
  let connections = 0;

  function take(block: string): void {
    const lines = block.split('\n');
    const field = (name: string) =>
      lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
    lastEventId = field('id') ?? lastEventId;
    const data = field('data');
    if (data === undefined) return;
    add(JSON.parse(data));
  }

  async function read(): Promise<void> {
    const headers: Record<string, string> = { Authorization: `Bearer ${token}` };
    if (lastEventId !== undefined) headers['Last-Event-ID'] = lastEventId;
    const { body, status } = await fetch(`${serviceUrl}/v1alpha/events?${query}`, {
      headers,
      signal: stop.signal,
    });
    if (status !== 200 || !body) return;
    connections += 1;
    let rest = '';
    for await (const text of body.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + text).split('\n\n');
      rest = blocks.pop() ?? '';
      blocks.forEach(take);
    }
  }

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      await read().catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  const running = run();
  return {
    events,
    connections: () => connections,
    saw,
    async stop() {
      stop.abort();
      await running;
    },
  };
}
