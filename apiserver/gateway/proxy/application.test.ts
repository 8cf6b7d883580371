import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import type { ServicePolicy } from '../policy/policy.ts';
import { adminKey, publicKey, startWorld, testId, type World } from '../testing/fixtures.ts';
import { refusal } from '../testing/socketFixtures.ts';

const common = { kind: 'plainHttp', ports: ['rpc'], isApplication: true } as const;
const services = new Map<string, ServicePolicy>([
  ['app', { ...common, needs: 'public' }],
  ['app-admin', { ...common, needs: 'admin' }],
  ['rest', { kind: 'plainHttp', ports: ['rpc'], needs: 'public' }],
]);

/** An application that answers with what it got, and echoes what comes over WebSockets. */
const application = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    const { method, url, headers } = request;
    const cookies = ['session=1; Path=/; HttpOnly', 'theme=dark; Domain=example.com'];
    response.setHeader('Set-Cookie', cookies.slice(0, url?.endsWith('/one') ? 1 : 2));
    response.end(JSON.stringify({ method, url, body, headers }));
  });
});
const sockets = new WebSocketServer({
  server: application,
  handleProtocols: (offered) => (offered.has('graphql-transport-ws') ? 'graphql-transport-ws' : false),
});
sockets.on('connection', (socket, { url, headers }) => {
  socket.on('message', (data, isBinary) =>
    socket.send(isBinary ? data : `${url} ${headers.cookie} ${data}`, { binary: isBinary }),
  );
});

/** What the application says that it got. */
const seenSchema = z.object({
  method: z.string(),
  url: z.string(),
  body: z.string(),
  headers: z.record(z.string(), z.unknown()),
});

let world: World;
beforeAll(async () => {
  await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve));
  const { port } = application.address() as AddressInfo;
  world = await startWorld({ host: '127.0.0.1', port }, { servicesOf: () => services });
});
afterAll(async () => {
  await world.close();
  for (const client of sockets.clients) client.terminate();
  application.close();
});

const open = (url: string, protocols: string[] = []) =>
  new Promise<WebSocket>((resolve, reject) => {
    const headers = { cookie: 'session=1' };
    const socket = new WebSocket(url.replace(/^http/, 'ws'), protocols, { headers });
    socket.once('open', () => resolve(socket));
    socket.once('error', reject);
  });
const answered = (socket: WebSocket) =>
  new Promise<[string, boolean]>((resolve) =>
    socket.once('message', (data, isBinary) => resolve([String(data), isBinary])),
  );

it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])(
  'an application gets %s with its path, body and credentials',
  async (method) => {
    const response = await fetch(`${world.url('app')}/v2/jobs?size=1`, {
      method,
      headers: {
        authorization: 'Bearer mine',
        cookie: 'session=1',
        'x-api-key': 'k',
        'if-match': '"1"',
        'x-forwarded-for': '1.2.3.4',
      },
      ...(method === 'GET' ? {} : { body: '{"a":1}' }),
    });
    const { headers, ...request } = seenSchema.parse(await response.json());
    expect(request).toEqual({ method, url: '/v2/jobs?size=1', body: method === 'GET' ? '' : '{"a":1}' });
    expect(headers).toMatchObject({
      authorization: 'Bearer mine',
      cookie: 'session=1',
      'x-api-key': 'k',
      'if-match': '"1"',
    });
    expect(headers).not.toHaveProperty('x-forwarded-for');
  },
);

it.each([
  ['session=1; __Host-slipway-session=s1.secret; theme=dark', 'session=1; theme=dark'],
  ['slipway-session=s1.secret;session=1', 'session=1'],
  ['__Host-slipway-oidc-0123456789abcdef=sealed', undefined],
])(
  'an application never gets what signs its visitor in to the API: of %s it gets %s',
  async (cookie, seen) => {
    const response = await fetch(`${world.url('app')}/page`, { headers: { cookie } });
    expect(seenSchema.parse(await response.json()).headers.cookie).toBe(seen);
  },
);

it('a single cookie of an application reaches its caller', async () => {
  const response = await fetch(`${world.url('app')}/one`);
  expect(response.status).toBe(200);
  expect(response.headers.getSetCookie()).toEqual([expect.stringContaining('session=1')]);
});

it('a cookie of an application stays below its URL', async () => {
  const response = await fetch(world.url('app'));
  const path = `/rpc/${testId}/${publicKey}/app`;
  expect(response.headers.getSetCookie()).toEqual([
    `session=1; HttpOnly; Path=${path}`,
    `theme=dark; Path=${path}`,
  ]);
});

it('a node gets no credentials and sets no cookies', async () => {
  const response = await fetch(world.url('rest'), {
    headers: { authorization: 'Bearer mine', cookie: 'session=1', 'x-api-key': 'k' },
  });
  const { headers } = seenSchema.parse(await response.json());
  for (const name of ['authorization', 'cookie', 'x-api-key']) expect(headers).not.toHaveProperty(name);
  expect(response.headers.getSetCookie()).toEqual([]);
});

it('an application takes WebSockets on any path, with its subprotocol', async () => {
  const socket = await open(`${world.url('app')}/subgraphs/name/a?b=c`, [
    'graphql-ws',
    'graphql-transport-ws',
  ]);
  expect(socket.protocol).toBe('graphql-transport-ws');
  socket.send('hello');
  expect(await answered(socket)).toEqual(['/subgraphs/name/a?b=c session=1 hello', false]);
  socket.send(Buffer.from([1, 2]));
  expect(await answered(socket)).toEqual(['\u0001\u0002', true]);
  socket.terminate();
});

it('needs the admin URL where the plugin says so', async () => {
  expect((await fetch(world.url('app-admin', publicKey))).status).toBe(404);
  expect((await fetch(world.url('app-admin', adminKey))).status).toBe(200);
  expect(await refusal(world.url('app-admin', publicKey))).toBe(404);
  expect(await refusal(world.url('app-admin', adminKey))).toBe(101);
  expect(await refusal(world.url('rest'))).toBe(404);
});

it('wakes its network', async () => {
  world.setNetwork({ state: 'Stopped' });
  const answer = fetch(`${world.url('app')}/`);
  while (world.woken.length === 0) await new Promise(setImmediate);
  world.setNetwork({ state: 'Operational' });
  expect((await answer).status).toBe(200);
});
