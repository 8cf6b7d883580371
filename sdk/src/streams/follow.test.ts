import { createInstantRuntime } from '../../testing/manualRuntime.ts';
import { type Answering, type LocalServer, startServer } from '../../testing/server.ts';
import { configOf } from '../options.ts';
import { createRequest } from '../request.ts';
import { createFollow } from './follow.ts';

let server: LocalServer;
afterEach(() => server?.close());

async function follow(answer: Answering, signal?: AbortSignal) {
  server = await startServer(answer);
  const runtime = createInstantRuntime();
  const { open } = createRequest(configOf({ url: server.url, apiKey: 'k.s', runtime, retries: 0 }));
  return createFollow(open, runtime)<{ number: string }>('/v1alpha/networks/n/blocks', { signal });
}

const stopped = { status: 409, body: { reason: 'Conflict', message: 'the network is Stopped' } };

/** Each connection gets the next text and ends; then the network is stopped. */
function connections(...texts: string[]): Answering {
  return (_request, response) => {
    const text = texts.shift();
    if (text === undefined) return stopped;
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.end(text);
    return undefined;
  };
}

const head = (number: number) => `data: ${JSON.stringify({ enclaveID: 'e', number: String(number) })}\n\n`;

it('goes on over connections until the network no longer runs', async () => {
  const numbers: string[] = [];
  for await (const { number } of await follow(connections(`: blocks\n\n${head(1)}${head(2)}`, head(4)))) {
    numbers.push(number);
  }
  expect(numbers).toEqual(['1', '2', '4']);
  expect(server.received.map(({ path }) => path)).toEqual(Array(3).fill('/v1alpha/networks/n/blocks'));
});

it('throws when the first connection is refused', async () => {
  const blocks = await follow(connections());
  await expect(blocks.next()).rejects.toMatchObject({ status: 409 });
});

it('ends with the reason of its signal', async () => {
  const controller = new AbortController();
  const blocks = await follow(connections(head(1), head(2)), controller.signal);
  await blocks.next();
  controller.abort(new Error('enough'));
  await expect(blocks.next()).rejects.toThrow('enough');
});
