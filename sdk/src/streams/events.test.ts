import type { ServerResponse } from 'node:http';
import { createInstantRuntime } from '../../testing/manualRuntime.ts';
import { type Answering, type LocalServer, startServer } from '../../testing/server.ts';
import { createClient } from '../client.ts';
import type { StreamedEvent, StreamOptions } from './events.ts';

let server: LocalServer;
let runtime: ReturnType<typeof createInstantRuntime>;
beforeEach(() => {
  runtime = createInstantRuntime();
});
afterEach(() => server?.close());

async function clientOf(answer: Answering) {
  server = await startServer(answer);
  return createClient({ url: server.url, apiKey: 'k.s', runtime, retries: 0 });
}

const head = { 'Content-Type': 'text/event-stream' };
const event = (id: number) =>
  `id: p${id}\nevent: network.step\ndata: ${JSON.stringify({ id: `e${id}`, type: 'network.step' })}\n\n`;

/** Each connection gets the next text; `cut` breaks it off, `end` ends it, `stay` leaves it open. */
function connections(...all: [text: string, end: 'cut' | 'end' | 'stay'][]): Answering {
  return (_request, response: ServerResponse) => {
    const [text, end] = all.shift() ?? ['', 'stay'];
    response.writeHead(200, head);
    response.write(text, () => {
      if (end === 'cut') setImmediate(() => response.destroy());
      if (end === 'end') response.end();
    });
    return undefined;
  };
}

/** The first `count` events, after which the stream is left. */
async function take(stream: AsyncGenerator<StreamedEvent>, count: number): Promise<StreamedEvent[]> {
  const taken: StreamedEvent[] = [];
  for await (const one of stream) {
    taken.push(one);
    if (taken.length === count) break;
  }
  return taken;
}

const streamOf = async (answer: Answering, options?: StreamOptions) =>
  (await clientOf(answer)).events.stream(options);

it('asks for what the options select', async () => {
  const stream = await streamOf(connections([event(1), 'stay']), {
    types: ['network.*', 'token.deployed'],
    selector: 'metadata.name == mine',
    lastEventId: 'p0',
    workspace: 'team',
  });
  expect(await take(stream, 1)).toEqual([{ id: 'e1', type: 'network.step', lastEventId: 'p1' }]);
  const { path = '', headers } = server.received[0] ?? {};
  const { pathname, searchParams } = new URL(path, server.url);
  expect([pathname, Object.fromEntries(searchParams)]).toEqual([
    '/v1alpha/events',
    { types: 'network.*,token.deployed', selector: 'metadata.name == mine' },
  ]);
  expect(headers).toMatchObject({
    accept: 'text/event-stream',
    'last-event-id': 'p0',
    authorization: 'Bearer k.s',
    'x-workspace-id': 'team',
  });
});

it.each(['cut', 'end'] as const)('goes on after the last event when the connection is %s', async (end) => {
  const stream = await streamOf(
    connections([event(1) + event(2), end], ['', end], [event(3), end], [event(4), 'stay']),
  );
  expect((await take(stream, 4)).map(({ id }) => id)).toEqual(['e1', 'e2', 'e3', 'e4']);
  expect(server.received.map(({ headers }) => headers['last-event-id'])).toEqual([
    undefined,
    'p2',
    'p2',
    'p3',
  ]);
});

it('does not take half an event from a connection that breaks', async () => {
  const stream = await streamOf(
    connections([`${event(1)}${event(2).slice(0, -4)}`, 'cut'], [event(2), 'stay']),
  );
  expect((await take(stream, 2)).map(({ id }) => id)).toEqual(['e1', 'e2']);
  expect(server.received[1]?.headers['last-event-id']).toBe('p1');
});

it('hands on a reset', async () => {
  const reset = 'id: p9\nevent: stream.reset\ndata: {"id":"p9","type":"stream.reset"}\n\n';
  const stream = await streamOf(connections([event(1), 'cut'], [reset + event(10), 'stay']));
  expect((await take(stream, 3)).map(({ type }) => type)).toEqual([
    'network.step',
    'stream.reset',
    'network.step',
  ]);
});

it('waits as the server asks, and longer while it brings nothing', async () => {
  const stream = await streamOf(
    connections([`retry: 200\n\n${event(1)}`, 'cut'], ['', 'cut'], ['', 'cut'], [event(2), 'stay']),
  );
  await take(stream, 2);
  expect(runtime.waits).toEqual([200, 400, 800]);
});

it('replaces a connection on which nothing arrives, not even a heartbeat', async () => {
  const reasons: (string | undefined)[] = [];
  const stream = await streamOf(connections([event(1), 'stay'], [event(2), 'stay']), {
    onReconnect: (error) => reasons.push(error?.message),
  });
  await stream.next();
  const next = stream.next();
  await new Promise(setImmediate);
  runtime.passLimits();
  expect(await next).toMatchObject({ value: { id: 'e2' } });
  expect(reasons).toEqual(['nothing arrived for 45000 ms']);
  await stream.return();
});

it('outlives a service that is away for a while', async () => {
  let asked = 0;
  const next = connections([event(1), 'stay']);
  const stream = await streamOf((request, response) => {
    asked += 1;
    return asked < 4 ? { status: 503, headers: { 'Retry-After': '3' }, body: {} } : next(request, response);
  });
  await take(stream, 1);
  expect(runtime.waits).toEqual([3_000, 3_000, 4_000]);
});

it.each([400, 401, 403, 404])('ends with a failure that stays: %i', async (status) => {
  const stream = await streamOf(() => ({ status, body: { reason: 'No', message: 'no' } }));
  await expect(stream.next()).rejects.toMatchObject({ status });
  expect(server.received).toHaveLength(1);
});

it('ends with an event that is not JSON, because it would come again', async () => {
  const stream = await streamOf(connections(['data: {"id":\n\n', 'stay']));
  await expect(stream.next()).rejects.toMatchObject({ reason: 'InvalidAnswer' });
});

it('ends with the reason of its signal', async () => {
  const controller = new AbortController();
  const stream = await streamOf(connections([event(1), 'stay']), { signal: controller.signal });
  await stream.next();
  const next = stream.next();
  controller.abort(new Error('enough'));
  await expect(next).rejects.toThrow('enough');
});

it('ends with what onReconnect throws', async () => {
  const onReconnect = () => {
    throw new Error('once is enough');
  };
  const stream = await streamOf(connections([event(1), 'cut'], [event(2), 'stay']), { onReconnect });
  await stream.next();
  await expect(stream.next()).rejects.toThrow('once is enough');
});

it('closes its connection when its consumer leaves', async () => {
  const closed = Promise.withResolvers<void>();
  const stream = await streamOf((_request, response) => {
    response.writeHead(200, head);
    response.write(event(1));
    response.on('close', closed.resolve);
    return undefined;
  });
  await take(stream, 1);
  await closed.promise;
  expect(server.received).toHaveLength(1);
});
