import { createHmac } from 'node:crypto';
import { createTestCli, type TestCli } from '../testing/run.ts';
import { type Answering, startServer, type TestServer } from '../testing/server.ts';

let server: TestServer;
let receiver: TestServer;
let cli: TestCli;
let stop: AbortController;
beforeEach(() => {
  stop = new AbortController();
});
afterEach(async () => {
  server.close();
  receiver?.close();
  await cli.close();
});

const event = (id: number, type: string) => ({
  id: `e${id}`,
  type,
  createdAt: '2026-01-15T09:30:00Z',
  workspace: 'w',
  object: { kind: 'Network', name: 'a', status: { state: 'Operational', message: `change ${id}` } },
});

/** Each connection of the stream brings the next events, and then breaks. */
async function use(...connections: ReturnType<typeof event>[][]): Promise<void> {
  const answer: Answering = (_asked, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    const text = (connections.shift() ?? [])
      .map((one) => `id: p-${one.id}\nevent: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`)
      .join('');
    response.write(`retry: 1\n\n${text}`, () => setImmediate(() => response.destroy()));
    return undefined;
  };
  server = await startServer(answer);
  cli = await createTestCli({ SLIPWAY_URL: server.url, SLIPWAY_API_KEY: 'id.secret' });
}

const listen = (args: string[], until: string) =>
  cli(['events', 'listen', '--existing', ...args], {
    signal: stop.signal,
    onOutput: (text) => text.includes(until) && stop.abort(),
    onProgress: (text) => text.includes(until) && stop.abort(),
  });

it('prints a line per event, over connections that break, until it is interrupted', async () => {
  await use([event(1, 'network.pending')], [event(2, 'network.operational')]);
  const { code, stdout } = await listen(['--type', 'network.*', '-l', 'team=x'], 'change 2');
  expect(code).toBe(130);
  expect(stdout).toBe(
    '2026-01-15T09:30:00Z  network.pending  a  change 1\n2026-01-15T09:30:00Z  network.operational  a  change 2\n',
  );
  const [first, second] = server.asked;
  const { searchParams } = new URL(first?.path ?? '', server.url);
  expect(Object.fromEntries(searchParams)).toEqual({
    types: 'network.*',
    selector: 'metadata.labels.team == "x"',
  });
  expect(second?.headers['last-event-id']).toBe('p-e1');
});

it('a message of a network cannot change what the terminal shows, nor look like another event', async () => {
  const forged = event(1, 'network.error');
  forged.object.status.message = 'one\u001b[2J\n2026-01-15T09:30:00Z  network.deleted  b  change 1';
  await use([forged]);
  const { stdout } = await listen([], 'change 1');
  expect(stdout).toBe(
    '2026-01-15T09:30:00Z  network.error  a  one [2J 2026-01-15T09:30:00Z  network.deleted  b  change 1\n',
  );
});

it('--ndjson prints the envelopes, with the id to go on after', async () => {
  await use([event(1, 'network.error')]);
  const { stdout } = await listen(['--ndjson', '--after', 'p-e0'], 'e1');
  expect(JSON.parse(stdout)).toEqual({ ...event(1, 'network.error'), lastEventId: 'p-e1' });
  expect(server.asked[0]?.headers['last-event-id']).toBe('p-e0');
});

it('--forward-to sends each event on; a receiver that fails is reported and misses one', async () => {
  const received: number[] = [500, 204];
  receiver = await startServer(() => ({ status: received.shift() ?? 204, body: undefined }));
  await use([event(1, 'network.pending'), event(2, 'network.operational')]);
  const { stderr } = await listen(['--forward-to', `${receiver.url}/hook`], 'network.operational ->');
  expect(receiver.asked.map(({ method, path, body }) => [method, path, JSON.parse(body).id])).toEqual([
    ['POST', '/hook', 'e1'],
    ['POST', '/hook', 'e2'],
  ]);
  expect(receiver.asked[0]?.headers).toMatchObject({ 'webhook-id': 'e1' });
  const { headers, body = '' } = receiver.asked[0] ?? {};
  const key = Buffer.from(/Signing secret: whsec_(\S+)/.exec(stderr)?.[1] ?? '', 'base64');
  // As docs/webhooks.md tells receivers to check it.
  const signed = `e1.${headers?.['webhook-timestamp']}.${body}`;
  const expected = createHmac('sha256', key).update(signed).digest('base64');
  expect(String(headers?.['webhook-signature']).split(' ')).toContain(`v1,${expected}`);
  expect(receiver.asked[0]?.headers).not.toHaveProperty('authorization');
  expect(stderr).toContain(`  network.pending -> ${receiver.url}/hook: 500\n`);
});

it('what a receiver answers is not read, and does not hold its connection', async () => {
  await use([event(1, 'network.pending')]);
  const target = 'http://receiver.example/hook';
  const cancel = jest.fn();
  const endless = new ReadableStream({ pull: (body) => body.enqueue(new Uint8Array(1)), cancel });
  const { stderr } = await cli(['events', 'listen', '--existing', '--forward-to', target], {
    signal: stop.signal,
    onProgress: (text) => text.includes(`-> ${target}`) && stop.abort(),
    fetch: async (input, init) => (input === target ? new Response(endless) : fetch(input, init)),
  });
  expect(stderr).toContain(`  network.pending -> ${target}: 200\n`);
  expect(cancel).toHaveBeenCalled();
});

it('a target that is not a URL is refused before anything is sent', async () => {
  await use([]);
  expect((await cli(['events', 'listen', '--forward-to', 'localhost'])).code).toBe(2);
  expect(server.asked).toEqual([]);
});

it('begins with what happens from now on', async () => {
  const ready = { ...event(9, 'stream.ready'), object: {} };
  await use([event(1, 'network.created'), ready as never, event(2, 'network.pending')]);
  const { code, stdout } = await cli(['events', 'listen'], {
    signal: stop.signal,
    onOutput: (text) => text.includes('change 2') && stop.abort(),
  });
  expect(stdout.match(/change \d/g)).toEqual(['change 2']);
  expect(code).toBe(130);
});
