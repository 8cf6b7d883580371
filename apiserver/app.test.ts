import { operationIds, operationOf } from '../core/api/operations.ts';
import { createFakeKube } from '../core/kube/fake.ts';
import { startTestApi, type TestApi } from './testing/harness.ts';

const users = [
  { userId: 'ann', workspaceId: 'one', namespace: 'ws-one' },
  { userId: 'vic', workspaceId: 'one', namespace: 'ws-one', role: 'viewer' },
] as const;
const errorKeys = ['kind', 'message', 'reason', 'requestId'];
const validNetwork = {
  name: 'n',
  spec: { chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'k' } } } },
};

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ kube: createFakeKube(), users });
});
afterAll(() => api.close());

describe('routes', () => {
  const prefixes = {
    network: '/network',
    secret: '/network',
    transaction: '/transaction',
    workspace: '/workspace',
  };
  const paths = operationIds.map((id) => {
    const { method, path, api: name, permission } = operationOf(id);
    return { id, method, path: path.replace(/\{\w+\}/g, 'x'), prefix: prefixes[name], permission };
  });

  it.each(paths.filter(({ permission }) => permission !== ''))(
    '$id is there, directly and behind the gateway, and asks who it is',
    async ({ method, path, prefix }) => {
      for (const full of [path, prefix + path]) {
        const answer = await api.request(full, { method, as: null });
        expect(answer.status).toBe(401);
        expect(answer.json.reason).toBe('Unauthorized');
      }
    },
  );

  it.each([
    ['nothing at all', '/'],
    ['an unknown kind', '/v1alpha/widgets'],
    ['a trailing slash', '/v1alpha/networks/'],
    ['another case', '/V1alpha/networks'],
    ['the prefix of another API', '/transaction/v1alpha/networks'],
    ['a path too deep', '/v1alpha/networks/x/endpoints/y'],
  ])('%s is 404 with an Error', async (_reason, path) => {
    const { status, json } = await api.request(path);
    expect(status).toBe(404);
    expect(json.kind).toBe('Error');
    expect(Object.keys(json).sort()).toEqual(errorKeys);
  });

  it('answers another method with 405 and those that are possible', async () => {
    const answer = await api.request('/network/v1alpha/networks', { method: 'PATCH', body: {} });
    expect(answer.status).toBe(405);
    expect(answer.json.reason).toBe('MethodNotAllowed');
    expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'HEAD', 'POST']);
  });

  it('answers a path that is not properly encoded with 400', async () => {
    const { status, json } = await api.request('/v1alpha/networks/%E0%A4');
    expect(status).toBe(400);
    expect(json.reason).toBe('BadRequest');
  });

  it('serves the description and its page to everybody', async () => {
    const description = await api.request('/openapi.json', { as: null });
    expect(description.json.openapi).toMatch(/^3\.1/);
    const page = await api.request('/docs', { as: null });
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("script-src 'sha256-");
    expect(page.text).toContain('/v1alpha/networks');
  });

  it('tells its health to everybody', async () => {
    const { status, json } = await api.request('/transaction/v1alpha1/transaction/health', { as: null });
    expect(status).toBe(200);
    expect(json).toEqual({ status: 'ok', checks: { store: 'ok', caches: 'ok' } });
  });
});

describe('credentials', () => {
  const right = { 'X-API-Key-ID': 'ann', 'X-API-Key-Secret': 'secret-of-ann' };
  it.each([
    ['the key pair', right],
    ['the token as bearer', { Authorization: 'Bearer ann.secret-of-ann' }],
    ['bearer in lower case', { Authorization: 'bearer ann.secret-of-ann' }],
    ['the bare token', { Authorization: 'ann.secret-of-ann' }],
    ['both, agreeing', { ...right, Authorization: 'Bearer ann.secret-of-ann' }],
    ['with the name of its workspace', { ...right, 'X-Workspace-ID': 'one' }],
  ])('%s opens', async (_name, headers) => {
    expect((await api.request('/v1alpha/networks', { as: null, headers })).status).toBe(200);
  });

  it.each([
    ['nothing', {}],
    ['an unknown id', { 'X-API-Key-ID': 'bob', 'X-API-Key-Secret': 'secret-of-ann' }],
    ['a wrong secret', { 'X-API-Key-ID': 'ann', 'X-API-Key-Secret': 'secret-of-bob' }],
    ['an empty secret', { 'X-API-Key-ID': 'ann', 'X-API-Key-Secret': '' }],
    ['the id alone', { 'X-API-Key-ID': 'ann' }],
    ['the secret alone', { 'X-API-Key-Secret': 'secret-of-ann' }],
    ['a wrong token', { Authorization: 'Bearer ann.secret-of-bob' }],
    ['a token without a dot', { Authorization: 'Bearer ann' }],
    ['another scheme', { Authorization: 'Basic YW5uOnNlY3JldA==' }],
    ['both, disagreeing', { ...right, Authorization: 'Bearer vic.secret-of-vic' }],
    ['a right pair and a broken token', { ...right, Authorization: 'Bearer nonsense' }],
    ['half a pair and a right token', { 'X-API-Key-ID': 'ann', Authorization: 'Bearer ann.secret-of-ann' }],
  ])('%s is 401, always in the same words', async (_name, headers) => {
    const nothing = await api.request('/v1alpha/networks', { as: null });
    const answer = await api.request('/v1alpha/networks', { as: null, headers });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="slipway"');
    expect({ ...answer.json, requestId: '' }).toEqual({ ...nothing.json, requestId: '' });
  });

  it('a role that lacks the permission is 403 and told which', async () => {
    const { status, json } = await api.request('/v1alpha/networks', { as: 'vic', body: validNetwork });
    expect(status).toBe(403);
    expect(json).toMatchObject({ reason: 'Forbidden', message: expect.stringContaining('networks:write') });
  });

  it('never acts in another workspace than the one named', async () => {
    const { status } = await api.request('/v1alpha/networks', { headers: { 'X-Workspace-ID': 'two' } });
    expect(status).toBe(404);
  });
});

describe('bodies', () => {
  const post = (options: object) => api.request('/v1alpha/networks', { method: 'POST', ...options });
  const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

  it.each([
    ['no body', { raw: '' }, 400, ''],
    ['no JSON', { raw: '{"name":' }, 400, ''],
    ['text after JSON', { raw: '{} {}' }, 400, ''],
    ['bytes that are not UTF-8', { raw: Buffer.from([0x7b, 0xff, 0x7d]) }, 400, ''],
    ['a key twice', { raw: '{"spec":{"chain":1,"chain":2}}' }, 400, 'spec.chain'],
    ['__proto__', { raw: '{"spec":{"__proto__":{"x":1}}}' }, 400, 'spec.__proto__'],
    ['__proto__ in escapes', { raw: '{"__pro\\u0074o__":1}' }, 400, '__proto__'],
    ['constructor', { raw: '{"spec":[{},{"constructor":1}]}' }, 400, 'spec[1].constructor'],
    ['prototype', { raw: '{"prototype":1}' }, 400, 'prototype'],
    ['nested too deep', { raw: nested(33) }, 400, expect.stringMatching(/^a(\[0\])+/)],
    ['absurdly deep', { raw: '['.repeat(100_000) }, 400, expect.anything()],
    ['a list', { raw: '[]' }, 400, ''],
    ['null', { raw: 'null' }, 400, ''],
  ])('%s is refused', async (_name, options, status, path) => {
    const answer = await post(options);
    expect(answer.status).toBe(status);
    expect(answer.json.kind).toBe('Error');
    if (path) expect(answer.json.details[0].path).toEqual(path);
  });

  it('32 levels are deep enough to be read', async () => {
    const answer = await post({ raw: nested(32) });
    expect(answer.json.details).toContainEqual({ path: 'a', message: 'unknown field' });
  });

  it.each([
    ['none', {}],
    ['another one', { 'Content-Type': 'text/plain' }],
    ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['another charset', { 'Content-Type': 'application/json; charset=latin1' }],
    ['compressed', { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }],
  ])('content type: %s is 415', async (_name, headers) => {
    const answer = await post({ raw: Buffer.from('{}'), headers: { 'Content-Type': '', ...headers } });
    expect(answer.status).toBe(415);
    expect(answer.json.reason).toBe('UnsupportedMediaType');
  });

  it('a content type with a charset is JSON as well', async () => {
    const headers = { 'Content-Type': 'application/json;charset="UTF-8"' };
    expect((await post({ raw: '{}', headers })).status).toBe(400);
  });

  it('more than 1 MiB is 413, announced or not', async () => {
    const large = Buffer.alloc(1024 * 1024 + 1, 0x20);
    expect((await post({ raw: large })).json).toMatchObject({ reason: 'TooLarge' });
    const chunks = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 40; i++) controller.enqueue(Buffer.alloc(64 * 1024, 0x20));
        controller.close();
      },
    });
    const response = await fetch(`${api.url}/v1alpha/networks`, {
      method: 'POST',
      headers: { Authorization: 'Bearer ann.secret-of-ann', 'Content-Type': 'application/json' },
      body: chunks,
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(413);
  });

  it('names every wrong field at once', async () => {
    const { status, json } = await post({
      body: {
        name: 'Not_A_Name',
        color: 'red',
        spec: {
          persistent: 'yes',
          size: 1,
          chain: { type: 'Ethereum', ethereum: { gasLimit: 1, zap: 0 }, solana: {} },
        },
      },
    });
    expect(status).toBe(400);
    expect(json.details.map(({ path }: { path: string }) => path).sort()).toEqual([
      'color',
      'name',
      'spec.chain.ethereum.gasLimit',
      'spec.chain.ethereum.privateKeyRef',
      'spec.chain.ethereum.zap',
      'spec.chain.solana',
      'spec.persistent',
      'spec.size',
    ]);
  });
});

describe('query', () => {
  it.each([
    ['an unknown parameter', '?limit=1&page=2', 'page'],
    ['a parameter twice', '?limit=1&limit=2', 'limit'],
    ['limit 0', '?limit=0', 'limit'],
    ['limit 501', '?limit=501', 'limit'],
    ['limit in words', '?limit=ten', 'limit'],
    ['half a limit', '?limit=1.5', 'limit'],
    ['__proto__', '?__proto__=1', '__proto__'],
    ['a broken selector', '?selector=status.state', 'selector'],
    ['a field that is not selectable', '?selector=metadata.name%20==%20x', 'selector'],
    ['a cursor out of thin air', '?cursor=abc', 'cursor'],
  ])('%s is 400 and named', async (_name, query, path) => {
    const { status, json } = await api.request(`/v1alpha/networks${query}`);
    expect(status).toBe(400);
    expect(json.details.map((detail: { path: string }) => detail.path)).toContain(path);
  });

  it('an endpoint without parameters takes none', async () => {
    const { status } = await api.request('/v1alpha/networks/x?verbose=1');
    expect(status).toBe(400);
  });
});

describe('headers', () => {
  it('the request id comes back, in the Error too; an unfit one is replaced', async () => {
    const kept = await api.request('/nothing', { headers: { 'X-Request-ID': 'my-id.1' } });
    expect(kept.headers.get('x-request-id')).toBe('my-id.1');
    expect(kept.json.requestId).toBe('my-id.1');
    const replaced = await api.request('/nothing', { headers: { 'X-Request-ID': 'a b"' } });
    expect(replaced.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('nothing tells what it runs on, and nothing is cached or sniffed', async () => {
    const { headers } = await api.request('/v1alpha/networks');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('counts requests by operation and code', async () => {
    await api.request('/v1alpha/networks');
    const text = await api.scrape();
    expect(text).toMatch(/slipway_http_requests_total\{operation="listNetworks",code="200"\} \d+/);
    expect(text).toContain('slipway_http_request_duration_seconds_bucket');
  });
});
