import { createInstantRuntime, type InstantRuntime } from '../../testing/manualRuntime.ts';
import { type Answering, type LocalServer, startServer } from '../../testing/server.ts';
import { createClient } from '../client.ts';

let server: LocalServer;
let runtime: InstantRuntime;
beforeEach(() => {
  runtime = createInstantRuntime();
});
afterEach(() => server?.close());

async function follow(
  answer: Answering,
  options?: { service?: string; tail?: number; signal?: AbortSignal },
) {
  server = await startServer(answer);
  const client = createClient({
    url: server.url,
    apiKey: 'k.s',
    runtime,
    retries: 0,
  });
  return client.networks.followLogs('n', options);
}

const stopped = { status: 409, body: { reason: 'Conflict', message: 'the network is Stopped' } };

async function linesOf(stream: AsyncGenerator<string>): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of stream) lines.push(line);
  return lines;
}

it('yields lines however they arrive, goes on with new ones, and ends when the network no longer runs', async () => {
  const texts = ['one\ntwo\nthr', 'four\n'];
  const stream = await follow(
    (_request, response) => {
      const text = texts.shift();
      if (text === undefined) return stopped;
      response.write(text.slice(0, 5));
      setImmediate(() => response.end(text.slice(5)));
      return undefined;
    },
    { service: 'el-1', tail: 10 },
  );
  expect(await linesOf(stream)).toEqual(['one', 'two', 'thr', 'four']);
  expect(server.received.map(({ path }) => path.split('?')[1])).toEqual([
    'follow=true&service=el-1&tail=10',
    'follow=true&service=el-1&tail=0',
    'follow=true&service=el-1&tail=0',
  ]);
});

it('goes on after a connection that breaks', async () => {
  const ways = ['cut', 'end'];
  const stream = await follow((_request, response) => {
    const way = ways.shift();
    if (way === undefined) return stopped;
    response.write(`${way}\n`, () =>
      setImmediate(() => (way === 'cut' ? response.destroy() : response.end())),
    );
    return undefined;
  });
  expect(await linesOf(stream)).toEqual(['cut', 'end']);
});

it('goes on when the service does not answer in time', async () => {
  const ways = ['one', 'silence', 'two'];
  const stream = await follow((_request, response) => {
    const way = ways.shift();
    if (way === undefined) return stopped;
    if (way === 'silence') setImmediate(() => runtime.passLimits());
    else response.end(`${way}\n`);
    return undefined;
  });
  expect(await linesOf(stream)).toEqual(['one', 'two']);
});

it('throws when the network has no logs to begin with', async () => {
  const stream = await follow(() => stopped);
  await expect(stream.next()).rejects.toMatchObject({ status: 409, message: 'the network is Stopped' });
});

it('ends with the reason of its signal', async () => {
  const controller = new AbortController();
  const stream = await follow(
    (_request, response) => {
      response.write('one\n');
      return undefined;
    },
    { signal: controller.signal },
  );
  await stream.next();
  const next = stream.next();
  controller.abort(new Error('enough'));
  await expect(next).rejects.toThrow('enough');
});
