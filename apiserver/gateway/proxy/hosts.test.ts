import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { hostKeyOf } from '../../../core/accounts/accessKeys.ts';
import { keyOf } from '../../../core/accounts/keyring.ts';
import { redact } from '../../../core/lib/redact.ts';
import { serviceHostOf } from '../../../core/networks/serviceHosts.ts';
import type { ServicePolicy } from '../policy/policy.ts';
import { evmServices } from '../policy/services.ts';
import {
  accessKeys,
  adminKey,
  type Node,
  publicKey,
  startNode,
  startWorld,
  testId,
  testScope,
  type World,
} from '../testing/fixtures.ts';

const domain = 'services.example';
const services = new Map<string, ServicePolicy>([
  ...evmServices.entries(),
  ['dfns', { kind: 'plainHttp', ports: ['rpc'], needs: 'public', hasSignIn: true, isApplication: true }],
  ['chainlink', { kind: 'plainHttp', ports: ['rpc'], needs: 'admin', hasSignIn: true, isApplication: true }],
  ['explorer', { kind: 'plainHttp', ports: ['rpc'], needs: 'public' }],
]);

let node: Node;
let world: World;
let seen: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[] = [];
let answer: { status: number; headers: Record<string, string | string[]> };

beforeAll(async () => {
  node = await startNode((message, response) => {
    const { method, url, headers } = message;
    message.resume().on('end', () => {
      seen.push({ method, url, headers });
      response.writeHead(answer.status, answer.headers).end('{}');
    });
  });
  world = await startWorld(node, { servicesOf: () => services, serviceDomain: domain });
});
afterAll(async () => {
  await world.close();
  await node.close();
});
beforeEach(() => {
  seen = [];
  answer = { status: 200, headers: {} };
  world.setNetwork({ state: 'Operational', accessEpochs: { public: 0, admin: 0 } });
});

interface HostChange {
  /** Of the network. */
  id?: string;
  namespace?: string | undefined;
  access?: 'public' | 'admin';
  epoch?: number;
  keyId?: string;
  keyService?: string;
}

function hostOf(service: string, change: HostChange = {}): string {
  const { access = 'public', epoch = 0, keyId = 'k2', keyService = service, ...place } = change;
  const scope = { ...testScope, ...place };
  const key = hostKeyOf(keyOf(accessKeys, keyId), { scope, access, epoch, service: keyService });
  return serviceHostOf({ service, id: scope.id, key }, domain);
}

/** Like a client that has resolved the name: fetch does not let a caller choose the Host header. */
function ask(host: string, { path = '/wallets', method = 'GET', headers = {} } = {}) {
  return new Promise<{ status: number; headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
    const sent = request(world.origin, { path, method, headers: { ...headers, host } }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    sent.on('error', reject).end();
  });
}

describe('the host name of a service', () => {
  it.each([
    ['as it is in the endpoints', hostOf('dfns')],
    ['with a port', `${hostOf('dfns')}:8080`],
    ['in capital letters', hostOf('dfns').toUpperCase()],
    ['with a key under an older key of the installation', hostOf('dfns', { keyId: 'k1' })],
    ['of a service for holders of the admin URL', hostOf('chainlink', { access: 'admin' })],
  ])('reaches it at any path: %s', async (_reason, host) => {
    expect((await ask(host, { path: '/wallets/wa-1?limit=2' })).status).toBe(200);
    expect(seen).toMatchObject([{ method: 'GET', url: '/wallets/wa-1?limit=2' }]);
  });

  it.each([
    ['a wrong key', hostOf('dfns').replace(/-[a-z2-7]{20}\./, `-${'a'.repeat(20)}.`)],
    ['the key of another service', hostOf('dfns', { keyService: 'explorer' })],
    ['the key of another network', hostOf('dfns', { id: testId.replace('b', 'c') })],
    ['the key of a network of that id in another namespace', hostOf('dfns', { namespace: 'other' })],
    ['the key of the former form', hostOf('dfns', { namespace: undefined })],
    ['a replaced key', hostOf('dfns', { epoch: 1 })],
    ['a public key where an admin key is needed', hostOf('chainlink')],
    ['a service that does not sign its users in', hostOf('explorer')],
    ['JSON-RPC', hostOf('rpc')],
    ['a service that the network does not have', hostOf('graph')],
    ['a name that is not a service', `api.${domain}`],
    ['two labels', `a.${hostOf('dfns')}`],
  ])('opens nothing with %s', async (_reason, host) => {
    const { status, text } = await ask(host);
    expect([status, JSON.parse(text).reason]).toEqual([404, 'NotFound']);
    expect(seen).toEqual([]);
  });

  it('has no paths of the gateway', async () => {
    const path = `/rpc/${testId}/${adminKey}/admin`;
    expect((await ask(`api.${domain}`, { path })).status).toBe(404);
    expect((await ask(hostOf('dfns'), { path })).status).toBe(200);
    expect(seen).toMatchObject([{ url: path }]);
  });

  it('wakes a stopped network, and waits for it', async () => {
    world.setNetwork({ state: 'Stopped' });
    const waiting = ask(hostOf('dfns'));
    while (world.woken.length === 0) await new Promise(setImmediate);
    world.setNetwork({ state: 'Operational' });
    expect((await waiting).status).toBe(200);
  });

  it('is refused when its key is replaced while the request waits', async () => {
    expect((await ask(hostOf('dfns'))).status).toBe(200);
    world.setNetwork({ accessEpochs: { public: 1, admin: 0 } });
    expect((await ask(hostOf('dfns'))).status).toBe(404);
    expect((await ask(hostOf('dfns', { epoch: 1 }))).status).toBe(200);
  });

  it('appears in logs without its key', () => {
    const host = hostOf('chainlink', { access: 'admin' });
    expect(redact(`a call to ${host} failed`)).toBe(
      `a call to chainlink-${testId.replaceAll('-', '')}-(redacted).${domain} failed`,
    );
  });
});

describe('credentials', () => {
  const headers = {
    authorization: 'Bearer jwt',
    'x-dfns-useraction': 'ua-1',
    'x-api-key-secret': 'ours',
    'x-forwarded-for': '10.0.0.1',
    cookie: 'clsession=1',
  };
  const kept = { authorization: 'Bearer jwt', 'x-dfns-useraction': 'ua-1' };

  it('reach a service on its host, except those of the API', async () => {
    await ask(hostOf('dfns'), { headers });
    expect(seen[0]?.headers).toMatchObject({ ...kept, cookie: 'clsession=1' });
    for (const name of ['x-api-key-secret', 'x-forwarded-for'])
      expect(seen[0]?.headers).not.toHaveProperty(name);
  });

  it('reach it below its path too', async () => {
    const path = `/rpc/${testId}/${publicKey}/dfns/wallets`;
    await ask('127.0.0.1', { path, headers });
    expect(seen[0]).toMatchObject({ url: '/wallets', headers: kept });
  });

  it('reach no service that does not sign its users in', async () => {
    await ask('127.0.0.1', { path: `/rpc/${testId}/${publicKey}/explorer/a`, headers });
    for (const name of Object.keys(headers)) expect(seen[0]?.headers).not.toHaveProperty(name);
  });

  it.each([
    ['its own page', `http://${hostOf('dfns')}`, true],
    ['a page of another network, which is the same site', `http://${hostOf('chainlink')}`, false],
    ['a page without an origin', 'null', false],
  ])('a cookie sent by %s', async (_reason, origin, isKept) => {
    await ask(hostOf('dfns'), { method: 'POST', headers: { ...headers, origin } });
    expect(seen[0]?.headers.cookie !== undefined).toBe(isKept);
  });
});

describe('what a service tells a browser', () => {
  it('its cookies are of its host name alone', async () => {
    answer.headers = { 'set-cookie': [`a=1; Path=/; Domain=${domain}; HttpOnly`, 'b=2; SameSite=Strict'] };
    const { headers } = await ask(hostOf('dfns'));
    expect(headers['set-cookie']).toEqual(['a=1; Path=/; HttpOnly; SameSite=Lax', 'b=2; SameSite=Strict']);
  });

  it('its pages are whole pages, which do not tell other sites their address', async () => {
    const { headers } = await ask(hostOf('dfns'));
    expect(headers).toMatchObject({ 'referrer-policy': 'same-origin', 'access-control-allow-origin': '*' });
    expect(headers).not.toHaveProperty('content-security-policy');
  });

  it.each([
    ['on the host', '/signin', 302],
    ['to another host', 'https://a.example/', 502],
    ['to another host without a scheme', '//a.example/', 502],
  ])('a redirect %s', async (_reason, location, status) => {
    answer = { status: 302, headers: { location } };
    expect((await ask(hostOf('dfns'))).status).toBe(status);
  });

  it('a preflight request is answered for every header that the SDK sends', async () => {
    const asked = {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-dfns-useraction',
    };
    const { status, headers } = await ask(hostOf('dfns'), { method: 'OPTIONS', headers: asked });
    expect([status, headers['access-control-allow-headers']]).toEqual([204, 'x-dfns-useraction']);
  });
});
