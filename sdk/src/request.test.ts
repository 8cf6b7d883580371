import { inspect } from 'node:util';
import { createInstantRuntime } from '../testing/manualRuntime.ts';
import { type Answering, type LocalServer, type Reply, startServer } from '../testing/server.ts';
import { type Client, createClient } from './client.ts';
import { SlipwayError } from './error.ts';
import type { ClientOptions } from './options.ts';

const apiKey = 'kadmin.s3cr3t-of-the-key';

let server: LocalServer;
let runtime: ReturnType<typeof createInstantRuntime>;
beforeEach(() => {
  runtime = createInstantRuntime();
});
afterEach(() => server?.close());

async function clientOf(answer: Answering, options: Partial<ClientOptions> = {}) {
  server = await startServer(answer);
  return createClient({ url: server.url, apiKey, runtime, ...options });
}

const failureOf = (promise: Promise<unknown>): Promise<SlipwayError> =>
  promise.then(
    () => {
      throw new Error('it succeeded');
    },
    (error) => error,
  );

const unavailable = {
  status: 503,
  headers: { 'Retry-After': '7' },
  body: { kind: 'Error', reason: 'Unavailable', message: 'retry', requestId: 'r1' },
};
const answers =
  (...replies: object[]): Answering =>
  () =>
    (replies.length > 1 ? replies.shift() : replies[0]) ?? {};

describe('a request', () => {
  it('carries the key, the workspace and the query, without members that are undefined', async () => {
    const client = await clientOf(answers({ body: { items: [], metadata: {} } }), { workspace: 'team' });
    await client.networks.list({ limit: 2, selector: 'status.state == Operational', cursor: undefined });
    const [{ method, path, headers } = server.received[0]!] = server.received;
    expect(`${method} ${path}`).toBe(
      'GET /v1alpha/networks?limit=2&selector=status.state+%3D%3D+Operational',
    );
    expect(headers).toMatchObject({ authorization: `Bearer ${apiKey}`, 'x-workspace-id': 'team' });
    expect(headers['idempotency-key']).toBeUndefined();
  });

  it('has no credentials without a key', async () => {
    const client = await clientOf(answers({ body: {} }), { apiKey: undefined });
    await client.invitations.accept({ token: 'i.t' });
    expect(server.received[0]?.headers.authorization).toBeUndefined();
  });

  it.each(['', '.', '..'])('never goes to another path because of the id "%s"', async (id) => {
    const client = await clientOf(answers({ body: {} }));
    expect(() => client.networks.delete(id)).toThrow(TypeError);
    expect(server.received).toEqual([]);
  });

  it('encodes an id that has characters of a path', async () => {
    const client = await clientOf(answers({ body: {} }));
    await client.networks.get('a/b?c');
    expect(server.received[0]?.path).toBe('/v1alpha/networks/a%2Fb%3Fc');
  });

  it('keeps the path of the installation', async () => {
    const client = await clientOf(answers({ body: {} }));
    const behind = createClient({ url: `${server.url}/slipway/`, apiKey });
    await behind.account.get();
    expect(server.received[0]?.path).toBe('/slipway/workspace/v1alpha1/me');
    expect(client).toBeDefined();
  });

  it('answers undefined for a response without a body, and the text of one that is not JSON', async () => {
    const client = await clientOf(({ method }) =>
      method === 'DELETE' ? { status: 204 } : { text: 'line\n', headers: { 'Content-Type': 'text/plain' } },
    );
    expect(await client.tokens.delete('t')).toBeUndefined();
    expect(await client.networks.getLogs('n')).toBe('line\n');
    expect(server.received[1]?.headers.accept).toBe('text/plain');
  });

  it('tells the side effects that the service announces', async () => {
    const warnings: string[] = [];
    const Warning = '299 - "spec.idleAfter has no effect", 299 - "a \\"new\\" chain starts"';
    const client = await clientOf(answers({ body: {}, headers: { Warning } }), {
      onWarning: (text, { method, path }) => warnings.push(`${method} ${path}: ${text}`),
    });
    await client.networks.stop('n');
    expect(warnings).toEqual([
      'POST /v1alpha/networks/n/stop: spec.idleAfter has no effect',
      'POST /v1alpha/networks/n/stop: a "new" chain starts',
    ]);
  });
});

describe('retries', () => {
  it('wait as long as the service asks, and longer each time without that', async () => {
    const client = await clientOf(
      answers(unavailable, { status: 502, text: '<html>' }, { isCut: true }, { body: { id: 'n' } }),
    );
    expect(await client.networks.get('n')).toEqual({ id: 'n' });
    expect(runtime.waits).toEqual([7_000, 500, 1_000]);
  });

  it('of a POST keep its Idempotency-Key, and another POST has another one', async () => {
    const client = await clientOf(answers(unavailable, { isCut: true }, { body: {} }));
    await client.networks.wake('n');
    await client.networks.wake('n');
    const keys = server.received.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([keys[0], keys[0], keys[0], keys[3]]);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[3]).not.toBe(keys[0]);
  });

  it('use the Idempotency-Key of the caller', async () => {
    const client = await clientOf(answers({ body: {} }));
    await client.networks.wake('n', { idempotencyKey: 'mine' });
    expect(server.received[0]?.headers['idempotency-key']).toBe('mine');
  });

  it('go on while the first attempt of a POST still runs', async () => {
    const conflict = {
      status: 409,
      headers: { 'Retry-After': '5' },
      body: { reason: 'Conflict', message: 'still in progress' },
    };
    const client = await clientOf(answers(conflict, { body: { id: 'n' } }));
    expect(await client.networks.wake('n')).toEqual({ id: 'n' });
    expect(runtime.waits).toEqual([5_000]);
  });

  it.each([
    [400, 'BadRequest'],
    [401, 'Unauthorized'],
    [404, 'NotFound'],
    [409, 'Conflict'],
    // A limit of the service that passes says when.
    [429, 'TooManyRequests'],
    [500, 'Internal'],
    [501, 'NotImplemented'],
  ])('are not made after %i', async (status, reason) => {
    const client = await clientOf(answers({ status, body: { reason, message: 'no' } }));
    expect(await failureOf(client.networks.get('n'))).toMatchObject({ status, reason });
    expect(server.received).toHaveLength(1);
  });

  it('are not made for a method that is neither idempotent nor a POST', async () => {
    const client = await clientOf(answers(unavailable));
    expect(await failureOf(client.request('PATCH', '/x'))).toMatchObject({ status: 503 });
    expect(server.received).toHaveLength(1);
  });

  it('end after as many as the options say', async () => {
    const client = await clientOf(answers(unavailable), { retries: 2 });
    expect(await failureOf(client.networks.get('n'))).toMatchObject({ status: 503, retryAfterMs: 7_000 });
    expect(server.received).toHaveLength(3);
  });

  it('are told with their reason and the wait before them', async () => {
    const told: unknown[] = [];
    const client = await clientOf(answers(unavailable, { body: {} }), {
      onRetry: ({ reason }, waitMs) => told.push([reason, waitMs]),
    });
    await client.networks.get('n');
    expect(told).toEqual([['Unavailable', 7_000]]);
  });

  it('are not awaited when the call would have timed out by then', async () => {
    const client = await clientOf(answers({ ...unavailable, headers: { 'Retry-After': '300' } }));
    expect(await failureOf(client.networks.get('n'))).toMatchObject({ status: 503, retryAfterMs: 300_000 });
    expect(runtime.waits).toEqual([]);
  });

  it('understand a Retry-After that is a time', async () => {
    const at = new Date(runtime.nowMs() + 3_000).toUTCString();
    const client = await clientOf(answers({ ...unavailable, headers: { 'Retry-After': at } }, { body: {} }));
    await client.networks.get('n');
    expect(runtime.waits).toEqual([3_000]);
  });
});

describe('what a callback throws', () => {
  const told = { body: { id: 'n' }, headers: { Warning: '299 - "a new chain starts"' } };

  it.each([
    ['onWarning', told, new Error('no side effects')],
    ['onWarning', told, new SlipwayError('looks like one that passes', { reason: 'Unreachable' })],
    ['onRetry', unavailable, new Error('no retries')],
  ])('by %s reaches the caller as it is, and nothing is sent again for it', async (name, reply, thrown) => {
    const throwing = () => {
      throw thrown;
    };
    const client = await clientOf(answers(reply, { body: {} }), { [name]: throwing });
    expect(await failureOf(client.networks.wake('n'))).toBe(thrown);
    expect(server.received).toHaveLength(1);
  });

  it('frees the connection of an answer that nobody gets', async () => {
    const cancel = jest.fn();
    const { headers } = told;
    const fetch = async () => new Response(new ReadableStream({ cancel }), { headers });
    const onWarning = () => {
      throw new Error('no side effects');
    };
    const client = createClient({ url: 'https://a.example', fetch, onWarning });
    await expect(client.open('POST', '/x')).rejects.toThrow('no side effects');
    expect(cancel).toHaveBeenCalled();
  });
});

describe('an error', () => {
  it('has what the service says', async () => {
    const details = [{ path: 'spec.chain.type', message: 'required' }];
    const body = { kind: 'Error', reason: 'BadRequest', message: 'invalid', requestId: 'r7', details };
    const client = await clientOf(answers({ status: 400, body }));
    const error = await failureOf(client.networks.create({ spec: { chain: { type: 'Ethereum' } } }));
    expect(error).toBeInstanceOf(SlipwayError);
    expect(error).toMatchObject({
      status: 400,
      reason: 'BadRequest',
      message: 'invalid',
      requestId: 'r7',
      details,
    });
  });

  it.each<[string, Reply, string]>([
    ['a page of a proxy', { status: 418, text: '<html>', headers: { 'X-Request-ID': 'r1' } }, 'Status418'],
    [
      'a body that is cut off',
      { text: '{"id":', headers: { 'Content-Type': 'application/json' } },
      'InvalidAnswer',
    ],
    ['a redirect', { status: 308, headers: { Location: 'https://elsewhere.example/' } }, 'Redirected'],
    [
      'the page of another web server',
      { text: '<html>', headers: { 'Content-Type': 'text/html; charset=utf-8' } },
      'InvalidAnswer',
    ],
  ])('has a reason for %s', async (_what, reply, reason) => {
    const client = await clientOf(answers(reply), { retries: 0 });
    expect(await failureOf(client.networks.get('n'))).toMatchObject({ status: reply.status ?? 200, reason });
  });

  it('says who did not answer, and why', async () => {
    const client = await clientOf(answers({ body: {} }), { retries: 1 });
    await server.close();
    const error = await failureOf(client.networks.get('n'));
    expect(error).toMatchObject({ status: 0, reason: 'Unreachable' });
    expect(error.message).toContain(`no answer from ${server.url}: connect ECONNREFUSED`);
    server = await startServer(answers({}));
  });

  it.each([
    ['refused', { status: 401, body: { reason: 'Unauthorized', message: 'no' } }],
    ['cut off', { isCut: true }],
    ['redirected', { status: 302, headers: { Location: 'http://127.0.0.1:1/' } }],
  ])('never shows the key: %s', async (_what, reply) => {
    const client = await clientOf(answers(reply), { retries: 1 });
    const error = await failureOf(client.networks.get('n'));
    const shown =
      inspect(error, { depth: 10, showHidden: true }) + inspect(client, { depth: 10, showHidden: true });
    expect(shown).not.toContain('s3cr3t');
    expect(server.received[0]?.headers.authorization).toContain('s3cr3t');
  });

  it.each([
    ['a line break in the key', { url: 'http://localhost', apiKey: 'k.s3cr\n3t' }],
    ['credentials in the URL', { url: 'http://k:s3cr3t@localhost', apiKey }],
    ['no URL', { url: 'localhost:8080', apiKey }],
    ['a path', { url: '/v1alpha', apiKey }],
  ])('of the options never shows the key: %s', (_what, options) => {
    expect(() => createClient(options)).toThrow(TypeError);
    expect(() => createClient(options)).not.toThrow(/s3cr/);
  });
});

describe('a call that is ended', () => {
  it('by its signal rejects with the reason of the signal', async () => {
    const controller = new AbortController();
    const client = await clientOf(() => {
      controller.abort(new Error('enough'));
      return undefined;
    });
    await expect(client.networks.get('n', { signal: controller.signal })).rejects.toThrow('enough');
  });

  it('by its signal is not retried', async () => {
    const controller = new AbortController();
    const client = await clientOf(
      () => {
        setImmediate(() => controller.abort(new Error('enough')));
        return unavailable;
      },
      { runtime: { ...createInstantRuntime(), after: () => () => {} } },
    );
    await expect(client.networks.get('n', { signal: controller.signal })).rejects.toThrow('enough');
    expect(server.received).toHaveLength(1);
  });

  it('by its limit rejects with Timeout', async () => {
    const client = await clientOf(() => {
      runtime.passLimits();
      return undefined;
    });
    const error = await failureOf(client.networks.get('n', { timeoutMs: 90_000 }));
    expect(error).toMatchObject({ status: 0, reason: 'Timeout', message: 'no answer within 90000 ms' });
    expect(server.received).toHaveLength(1);
  });
});

describe('pages', () => {
  const page = (items: string[], cursor?: string) => ({
    body: { items: items.map((id) => ({ id })), metadata: cursor ? { cursor } : {} },
  });

  it('are read one after the other, with the same filter', async () => {
    const client = await clientOf(answers(page(['a', 'b'], 'next'), page([], 'more'), page(['c'])));
    const all: string[] = [];
    for await (const { id } of client.networks.listAll({ limit: 2 })) all.push(id);
    expect(all).toEqual(['a', 'b', 'c']);
    expect(server.received.map(({ path }) => path)).toEqual([
      '/v1alpha/networks?limit=2',
      '/v1alpha/networks?limit=2&cursor=next',
      '/v1alpha/networks?limit=2&cursor=more',
    ]);
  });

  it('end where an answer names no next one', async () => {
    const client = await clientOf(answers({ body: { items: [] } }));
    expect(await client.networks.listAll().next()).toEqual({ done: true, value: undefined });
  });

  it('are not read further than they are asked for', async () => {
    const client = await clientOf(answers(page(['a', 'b'], 'next')));
    for await (const { id } of client.networks.listAll()) if (id === 'b') break;
    expect(server.received).toHaveLength(1);
  });
});

it.each([
  ['a redirect', 302, (client: Client) => client.networks.list()],
  ['a page in place of events', 200, (client: Client) => client.events.stream().next()],
])('%s, which nobody reads, does not hold its connection', async (_what, status, ask) => {
  const cancel = jest.fn();
  const fetch = async () => new Response(new ReadableStream({ cancel }), { status });
  await expect(ask(createClient({ url: 'https://a.example', fetch }))).rejects.toBeInstanceOf(SlipwayError);
  expect(cancel).toHaveBeenCalled();
});
