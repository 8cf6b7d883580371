import { createInstantRuntime } from '../testing/manualRuntime.ts';
import { type Answering, type LocalServer, type Reply, startServer } from '../testing/server.ts';
import { createClient } from './client.ts';
import type { Step } from './wait.ts';

let server: LocalServer;
afterEach(() => server?.close());

/** A server whose streams are those of `events`; it has none without them. */
async function clientOf(answer: Answering, events?: Answering) {
  server = await startServer((request, response) => {
    if (!request.path.startsWith('/v1alpha/events')) return answer(request, response);
    return events ? events(request, response) : notFound;
  });
  return createClient({ url: server.url, apiKey: 'k.s', runtime: createInstantRuntime(), retries: 0 });
}

const network = (state: string, more: object = {}) => ({ id: 'n', name: 'mine', status: { state, ...more } });
const notFound = { status: 404, body: { reason: 'NotFound', message: 'no such network' } };

/** Answers a GET with each in turn, the last one again and again. */
const inTurn =
  (...replies: Reply[]): Answering =>
  () =>
    (replies.length > 1 ? replies.shift() : replies[0]) ?? {};

/** Requests but those of streams. */
const asked = () => server.received.map(({ path }) => path).filter((path) => !path.includes('/events'));

it('tells each step once, and answers the network', async () => {
  const step = (currentStep: number) => ({ execution: { currentStep, totalSteps: 4 } });
  const client = await clientOf(
    inTurn(
      { body: network('Pending') },
      { body: network('Pending', step(1)) },
      { body: network('Pending', step(1)) },
      { body: network('Operational', { ...step(4), message: 'running' }) },
    ),
  );
  const steps: Omit<Step, 'network'>[] = [];
  const onStep = ({ network: _network, ...rest }: Step) => void steps.push(rest);
  expect(await client.waitFor('n', 'Operational', { onStep })).toMatchObject({ id: 'n' });
  expect(steps.map((one) => Object.values(one))).toEqual([
    ['Pending', '', undefined, undefined],
    ['Pending', '', 1, 4],
    ['Operational', 'running', 4, 4],
  ]);
});

it('ends at once on Error, with the message of the network', async () => {
  const client = await clientOf(
    inTurn({ body: network('Pending') }, { body: network('Error', { message: 'no image' }) }),
  );
  await expect(client.waitFor('n', 'Operational')).rejects.toMatchObject({
    reason: 'NetworkError',
    status: 0,
    message: 'no image',
  });
  expect(asked()).toHaveLength(2);
});

it('may wait for Error', async () => {
  const page = (state: string) => ({ body: { items: [network(state)], metadata: {} } });
  const client = await clientOf(inTurn(page('Pending'), page('Error')));
  expect(await client.waitFor('n', 'Error')).toMatchObject({ status: { state: 'Error' } });
});

it('outlives failures that pass, such as a restart of the service', async () => {
  const client = await clientOf(
    inTurn(
      { status: 503, body: {} },
      { isCut: true },
      { status: 502, text: 'x' },
      { body: network('Operational') },
    ),
  );
  expect(await client.waitFor('n', 'Operational')).toMatchObject({ id: 'n' });
});

it.each([
  [401, 'Unauthorized'],
  [404, 'NotFound'],
])('ends with the failure that stays: %i', async (status, reason) => {
  const client = await clientOf(inTurn({ status, body: { reason, message: 'no' } }));
  await expect(client.waitFor('n', 'Operational')).rejects.toMatchObject({ status, reason });
});

it('does not wake a network that it waits for to stop, and reads only its own entry once its name is known', async () => {
  const page = (...items: object[]) => ({ body: { items, metadata: {} } });
  const other = { id: 'other', name: 'other', status: { state: 'Stopped' } };
  const client = await clientOf(inTurn(page(other, network('Stopping')), page(network('Stopped'))));
  expect(await client.waitFor('n', 'Stopped')).toMatchObject({ id: 'n' });
  expect(asked()).toEqual(['/v1alpha/networks', '/v1alpha/networks?selector=metadata.name+%3D%3D+mine']);
});

it('waits until a network is gone', async () => {
  const page = (...items: object[]) => ({ body: { items, metadata: {} } });
  const client = await clientOf(inTurn(page(network('Error')), page(network('Stopping')), page()));
  expect(await client.waitFor('n', 'Deleted')).toMatchObject({ status: { state: 'Stopping' } });
});

it('has nothing to wait for when a network is gone before', async () => {
  const none = { body: { items: [], metadata: {} } };
  const client = await clientOf(inTurn(none));
  expect(await client.waitFor('n', 'Deleted')).toBeUndefined();
});

it('takes a condition instead of a state', async () => {
  const page = (rev: number) => ({
    body: { items: [{ ...network('Operational'), metadata: { rev } }], metadata: {} },
  });
  const client = await clientOf(inTurn(page(1), page(2)));
  expect(await client.waitFor('n', ({ metadata }) => metadata.rev === 2)).toMatchObject({
    metadata: { rev: 2 },
  });
});

it('has no limit when that is 0, as a call', async () => {
  const client = await clientOf(inTurn({ body: network('Pending') }, { body: network('Operational') }));
  const found = await client.waitFor('n', 'Operational', { timeoutMs: 0, by: 'polling' });
  expect(found.status?.state).toBe('Operational');
});

it('ends with Timeout after its limit', async () => {
  const client = await clientOf(inTurn({ body: network('Pending') }));
  await expect(client.waitFor('n', 'Operational', { timeoutMs: 50 })).rejects.toMatchObject({
    reason: 'Timeout',
    message: 'network n is not Operational after 50 ms',
  });
});

it('ends with the reason of its signal', async () => {
  const controller = new AbortController();
  const client = await clientOf(inTurn({ body: network('Pending') }));
  const onStep = () => controller.abort(new Error('enough'));
  await expect(client.waitFor('n', 'Operational', { signal: controller.signal, onStep })).rejects.toThrow(
    'enough',
  );
});

it('does not retry a network that does not exist', async () => {
  const client = await clientOf(inTurn(notFound));
  await expect(client.waitFor('n', 'Operational')).rejects.toThrow('network n does not exist');
  expect(asked()).toHaveLength(1);
});

describe('by events', () => {
  const line = (type: string, object?: object) => `data: ${JSON.stringify({ id: 'e', type, object })}\n\n`;
  const ready = line('stream.ready');

  /** Each connection gets the next text and then ends; the last one stays open. */
  const streams =
    (...texts: string[]): Answering =>
    (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write(`id: ${texts.length}\n${texts.shift() ?? ''}`, () => {
        if (texts.length > 0) response.end();
      });
      return undefined;
    };
  const never: Answering = () => ({ status: 500, body: { reason: 'Internal', message: 'polled' } });

  it('no step is missed, and the network is not woken', async () => {
    const states = ['Stopping', 'Stopped'].map((state) => line('network.status', network(state)));
    const client = await clientOf(
      never,
      streams(line('network.present', network('Operational')) + ready, states.join('')),
    );
    const steps: string[] = [];
    await client.waitFor('n', 'Stopped', { onStep: ({ state }) => steps.push(state) });
    expect(steps).toEqual(['Operational', 'Stopping', 'Stopped']);
    expect(asked()).toEqual([]);
    const { searchParams } = new URL(server.received[0]?.path ?? '', server.url);
    expect(Object.fromEntries(searchParams)).toEqual({ types: 'network.*', selector: 'id == n' });
  });

  it('waiting for Operational wakes the network first', async () => {
    const client = await clientOf(
      inTurn({ body: network('Stopped') }),
      streams(
        line('network.present', network('Pending')) +
          ready +
          line('network.operational', network('Operational')),
      ),
    );
    expect(await client.waitFor('n', 'Operational')).toMatchObject({ status: { state: 'Operational' } });
    expect(asked()).toEqual(['/v1alpha/networks/n']);
  });

  it('ends at once on Error', async () => {
    const client = await clientOf(
      inTurn({ body: network('Pending') }),
      streams(
        line('network.present', network('Pending')) +
          ready +
          line('network.error', network('Error', { message: 'no image' })),
      ),
    );
    const waiting = client.waitFor('n', 'Operational');
    await expect(waiting).rejects.toMatchObject({ reason: 'NetworkError', message: 'no image' });
  });

  it.each([
    [
      'deleted',
      line('network.present', network('Stopping')) + ready + line('network.deleted', network('Stopping')),
    ],
    [
      'gone after a reset',
      line('network.present', network('Stopping')) + ready + line('stream.reset') + ready,
    ],
  ])('a network is %s', async (_what, text) => {
    const client = await clientOf(never, streams(text));
    expect(await client.waitFor('n', 'Deleted')).toMatchObject({ id: 'n' });
  });

  it('a network that is gone before has nothing to wait for', async () => {
    const client = await clientOf(never, streams(ready));
    expect(await client.waitFor('n', 'Deleted')).toBeUndefined();
  });

  it('a network that does not exist is NotFound', async () => {
    const client = await clientOf(never, streams(ready));
    await expect(client.waitFor('n', 'Stopped')).rejects.toMatchObject({ reason: 'NotFound' });
  });

  it.each<[string, Reply]>([
    ['refused', { status: 403, body: { reason: 'Forbidden', message: 'no' } }],
    ['more than the budget has', { status: 429, body: { reason: 'TooManyRequests', message: 'no' } }],
    ['an answer of something else', { body: { is: 'another service' } }],
    ['cut off again and again', { isCut: true }],
  ])('polls when streams are %s', async (_what, reply) => {
    const client = await clientOf(
      inTurn({ body: network('Pending') }, { body: network('Operational') }),
      () => reply,
    );
    expect(await client.waitFor('n', 'Operational')).toMatchObject({ status: { state: 'Operational' } });
  });

  it('opens no stream when it is not to', async () => {
    const client = await clientOf(inTurn({ body: network('Operational') }), never);
    await client.waitFor('n', 'Operational', { by: 'polling' });
    expect(server.received).toHaveLength(1);
  });
});
