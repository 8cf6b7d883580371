import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { createInterface } from 'node:readline';
import type { Server } from './faultyProxy.ts';

export interface RawEvent {
  type: string;
  object: { metadata: { name: string; uid: string; resourceVersion: string } };
}

/** A watch that shares no code with the client under test. */
export interface RawWatch {
  events: RawEvent[];
  /** Resolves when an event for an object of this name has arrived. */
  saw(name: string): Promise<void>;
  close(): void;
}

/** Watches a collection from now on; `path` such as `/api/v1/namespaces/x/configmaps`. */
export async function openRawWatch(server: Server, path: string): Promise<RawWatch> {
  const events: RawEvent[] = [];
  const waiting = new Map<string, () => void>();
  const asked = request(`${server.url}${path}?watch=true&resourceVersion=0`, {
    ca: server.ca,
    headers: { authorization: `Bearer ${server.token}` },
  });
  asked.end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const lines = createInterface(answer).on('line', (line) => {
    const event: RawEvent = JSON.parse(line);
    events.push(event);
    waiting.get(event.object.metadata.name)?.();
  });
  // Closing the watch causes errors on its streams.
  for (const stream of [asked, answer, lines]) stream.on('error', () => undefined);
  return {
    events,
    saw: (name) =>
      new Promise((resolve) => {
        waiting.set(name, resolve);
        if (events.some(({ object }) => object.metadata.name === name)) resolve();
      }),
    close: () => void asked.destroy(),
  };
}
