import type { IncomingMessage } from 'node:http';
import type { ServicePolicy } from '../policy/policy.ts';
import { evmClientServices, evmServices } from '../policy/services.ts';
import {
  adminKey,
  call,
  type Node,
  post,
  publicKey,
  raw,
  startNode,
  startWorld,
  testId,
  type World,
} from '../testing/fixtures.ts';

let node: Node;
let world: World;
let seen: { request: IncomingMessage; body: string }[] = [];
let answer: { status: number; headers: Record<string, string | string[]>; body: string };

const ok = { status: 200, headers: { 'content-type': 'application/json' }, body: '{"id":1,"result":"0x1"}' };
const services = new Map<string, ServicePolicy>([
  ['explorer', { kind: 'plainHttp', ports: ['rpc'], needs: 'public' }],
]);

beforeAll(async () => {
  node = await startNode((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      seen.push({ request, body });
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
  });
  world = await startWorld(node, { servicesOf: () => new Map([...evmServices, ...services]) });
});
afterAll(async () => {
  await world.close();
  await node.close();
});
beforeEach(() => {
  seen = [];
  answer = ok;
});

describe('URLs that grant no access', () => {
  const other = testId.replace('b', 'c');
  const paths: [string, string][] = [
    ['an unknown network', `/rpc/${other}/${publicKey}/rpc`],
    ['a wrong key', `/rpc/${testId}/${'A'.repeat(24)}/rpc`],
    ['a key that is too short', `/rpc/${testId}/A/rpc`],
    ['an unknown service', `/rpc/${testId}/${publicKey}/graph`],
    ['a property of every object', `/rpc/${testId}/${publicKey}/constructor`],
    ['the admin service with the public key', `/rpc/${testId}/${publicKey}/admin`],
    ['a path below a JSON-RPC service', `/rpc/${testId}/${publicKey}/rpc/graphql`],
    ['percent-encoding', `/rpc/${testId}/${publicKey}/%72pc`],
    ['another service by dot segments', `/rpc/${testId}/${publicKey}/rpc/../admin`],
    ['an empty path', '/rpc/'],
  ];
  it.each(paths)('%s', async (_reason, path) => {
    const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nX-Request-ID: r-1\r\nContent-Length: 2\r\n\r\n{}`;
    const text = await raw(world.origin, head, '}');
    expect(text).toMatch(/^HTTP\/1\.1 404/);
    expect(text).toContain('Access-Control-Allow-Origin: *');
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).toEqual({
      kind: 'Error',
      reason: 'NotFound',
      message: 'endpoint not found: check the URL against the endpoints of the network',
      requestId: 'r-1',
    });
    expect(seen).toEqual([]);
  });
});

describe('JSON-RPC over HTTP', () => {
  it('accepts only POST, and says so', async () => {
    const response = await fetch(world.url());
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST, OPTIONS');
    expect(await response.json()).toMatchObject({ kind: 'Error', message: expect.stringContaining('POST') });
  });

  it('is not served at the WebSocket URL', async () => {
    expect((await post(world.url('ws'), call('eth_chainId'))).status).toBe(405);
  });

  it('answers a CORS preflight', async () => {
    const response = await fetch(world.url(), {
      method: 'OPTIONS',
      headers: { 'access-control-request-headers': 'content-type,x-wallet' },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-methods')).toContain('POST');
    expect(response.headers.get('access-control-allow-headers')).toBe('content-type,x-wallet');
    expect(seen).toEqual([]);
  });

  it('forwards only the body to the node', async () => {
    const body = JSON.stringify(call('eth_chainId'));
    await post(world.url(), body, {
      authorization: 'Bearer secret',
      cookie: 'a=b',
      'x-forwarded-for': '1.2.3.4',
      'x-request-id': 'r-2',
      'proxy-authorization': 'x',
      origin: 'http://evil',
      te: 'trailers',
    });
    expect(seen).toHaveLength(1);
    expect(seen[0]?.body).toBe(body);
    expect(seen[0]?.request.url).toBe('/');
    expect(seen[0]?.request.headers).toEqual({
      host: `127.0.0.1:${node.port}`,
      'content-type': 'application/json',
      'content-length': String(body.length),
      connection: 'keep-alive',
    });
  });

  it('returns only the answer of the node to the caller', async () => {
    const headers = {
      ...ok.headers,
      'set-cookie': ['a=b', 'c=d'],
      'access-control-allow-origin': 'http://node',
      server: 'node/1',
      'x-powered-by': 'node',
      'keep-alive': 'timeout=1',
    };
    answer = { ...ok, headers };
    const { headers: got, json } = await post(world.url(), call('eth_chainId'), { 'x-request-id': 'r-3' });
    expect(json).toEqual({ id: 1, result: '0x1' });
    expect(Object.fromEntries(got)).toEqual({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'X-Request-ID, Retry-After',
      'cache-control': 'no-store',
      connection: 'keep-alive',
      'content-type': 'application/json',
      date: expect.any(String),
      'keep-alive': expect.any(String),
      'transfer-encoding': 'chunked',
      'x-content-type-options': 'nosniff',
      'x-request-id': 'r-3',
    });
  });

  it('returns the status of the node', async () => {
    answer = { ...ok, status: 429 };
    expect((await post(world.url(), call('eth_chainId'))).status).toBe(429);
  });

  it('does not follow redirects', async () => {
    answer = { status: 307, headers: { location: `http://127.0.0.1:${node.port}/secret` }, body: '' };
    const { status, json, headers } = await post(world.url(), call('eth_chainId', [], 5));
    expect(status).toBe(502);
    expect(json).toMatchObject({ id: 5, error: { code: -32603 } });
    expect(headers.get('location')).toBeNull();
    expect(seen).toHaveLength(1);
  });

  it('does not call the node for invalid JSON', async () => {
    const { status, json } = await post(world.url(), '{"id":1');
    expect(status).toBe(200);
    expect(json).toMatchObject({ id: null, error: { code: -32700 } });
    expect((await post(world.url(), '[]')).json).toMatchObject({ error: { code: -32600 } });
    expect(seen).toEqual([]);
  });

  it('refuses a body with a Content-Length that is too large', async () => {
    const { status, json } = await post(world.url(), 'x'.repeat(1024 * 1024 + 1));
    expect(status).toBe(413);
    expect(json).toMatchObject({ kind: 'Error', reason: 'TooLarge' });
  });

  it('refuses a chunked body that is too large', async () => {
    const head = `POST ${new URL(world.url()).pathname} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const chunk = `10000\r\n${'x'.repeat(65536)}\r\n`;
    expect(await raw(world.origin, head + chunk.repeat(17), 'TooLarge')).toMatch(/^HTTP\/1\.1 413/);
  });

  it('refuses compressed bodies', async () => {
    const { status, json } = await post(world.url(), 'x', { 'content-encoding': 'gzip' });
    expect(status).toBe(415);
    expect(json).toMatchObject({ reason: 'UnsupportedMediaType' });
  });

  it('refuses bodies beyond the memory budget', async () => {
    const small = await startWorld(node, { limits: { memoryBytes: 32 * 1024 } });
    const { status, json } = await post(small.url(), call('eth_call', ['x'.repeat(20_000)]));
    expect(status).toBe(503);
    expect(json).toMatchObject({ reason: 'Unavailable' });
    expect((await post(small.url(), call('eth_chainId'))).status).toBe(200);
    await small.close();
  });

  it('keeps numbers that JavaScript cannot represent, where the node is a client of the public chain', async () => {
    const client = await startWorld(node, { servicesOf: () => evmClientServices });
    const body =
      '{"jsonrpc":"2.0","id":12345678901234567890123,"extra":1,"method":"eth_call","params":[1e999,0.10]}';
    await post(client.url(), body);
    expect(seen[0]?.body).toBe(body.replace('"extra":1,', ''));
    await client.close();
  });
});

describe('plain HTTP services', () => {
  it('forward any path, the common methods, and their headers', async () => {
    answer = {
      status: 200,
      headers: { 'content-type': 'text/html', etag: '"1"', 'set-cookie': 'a=b' },
      body: '<p>',
    };
    const response = await fetch(`${world.url('explorer')}/blocks/1?full=true`, {
      method: 'PUT',
      body: 'text',
      headers: {
        authorization: 'Bearer secret',
        cookie: 'a=b',
        accept: 'text/html',
        'content-type': 'text/x',
      },
    });
    expect(await response.text()).toBe('<p>');
    expect(response.headers.get('etag')).toBe('"1"');
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(response.headers.get('content-security-policy')).toContain('sandbox');
    expect(seen[0]?.request).toMatchObject({ method: 'PUT', url: '/blocks/1?full=true' });
    expect(seen[0]?.body).toBe('text');
    expect(seen[0]?.request.headers).toMatchObject({ accept: 'text/html', 'content-type': 'text/x' });
    expect(seen[0]?.request.headers.authorization).toBeUndefined();
    expect(seen[0]?.request.headers.cookie).toBeUndefined();
  });

  it('forward requests to their root', async () => {
    await fetch(`${world.url('explorer')}?a=1`);
    expect(seen[0]?.request.url).toBe('/?a=1');
  });

  it('do not follow redirects, but return 304', async () => {
    answer = { status: 302, headers: { location: '/x' }, body: '' };
    const redirect = await fetch(world.url('explorer'), { redirect: 'manual' });
    expect(redirect.status).toBe(502);
    expect(await redirect.json()).toMatchObject({ kind: 'Error' });
    answer = { status: 304, headers: {}, body: '' };
    expect((await fetch(world.url('explorer'))).status).toBe(304);
  });
});

it('never logs an access key', async () => {
  const lines: string[] = [];
  const take = (message: string, fields?: object) => void lines.push(JSON.stringify({ message, fields }));
  const log = { debug: take, info: take, warn: take, error: take, with: () => log };
  const noisy = await startWorld({ host: '127.0.0.1', port: 1 }, { log });
  await post(noisy.url(), call('eth_chainId'));
  await post(noisy.url('admin'), call('eth_chainId'));
  await noisy.close();
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.join()).not.toMatch(new RegExp(`${publicKey}|${adminKey}|/rpc/`));
});
