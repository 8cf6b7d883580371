import { operationIds, operationOf } from '../core/api/operations/operations.ts';
import { createFakeKube } from '../core/kube/testing/fake/fake.ts';
import { startTestApi, type TestApi } from './testing/harness.ts';

const users = [{ userId: 'ann', workspaceId: 'one', namespace: 'ws-one' }];
const errorKeys = ['kind', 'message', 'reason', 'requestId'];

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
    '$id is served directly and behind the gateway prefix, and requires authentication',
    async ({ method, path, prefix }) => {
      for (const full of [path, prefix + path]) {
        const answer = await api.request(full, { method, as: null });
        expect(answer.status).toBe(401);
        expect(answer.json.reason).toBe('Unauthorized');
      }
    },
  );

  it.each([
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

  it('answers another method with 405 and the allowed methods', async () => {
    const answer = await api.request('/network/v1alpha/networks', { method: 'PATCH', body: {} });
    expect(answer.status).toBe(405);
    expect(answer.json.reason).toBe('MethodNotAllowed');
    expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'HEAD', 'POST']);
  });

  it('answers a malformed percent-encoding with 400', async () => {
    const { status, json } = await api.request('/v1alpha/networks/%E0%A4');
    expect(status).toBe(400);
    expect(json.reason).toBe('BadRequest');
  });

  it('tells at / where the description is', async () => {
    const index = await api.request('/', { as: null });
    const health = 'v1alpha1/transaction/health';
    expect(index.status).toBe(200);
    const documents = { docs: 'docs', openapi: 'openapi.json', llms: 'llms.txt' };
    expect(index.json).toEqual({ name: 'Slipway', ...documents, mcp: 'mcp', health });
    for (const path of [...Object.values(documents), health]) {
      expect((await api.request(`/${path}`, { as: null })).status).toBe(200);
    }
  });

  it('serves the description and its page to everybody', async () => {
    const description = await api.request('/openapi.json', { as: null });
    expect(description.json.openapi).toMatch(/^3\.1/);
    const page = await api.request('/docs', { as: null });
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("script-src 'sha256-");
    expect(page.text).toContain('/v1alpha/networks');
  });

  it('reports its health to everybody', async () => {
    const { status, json } = await api.request('/transaction/v1alpha1/transaction/health', { as: null });
    expect(status).toBe(200);
    expect(json).toEqual({ status: 'ok', checks: { store: 'ok', caches: 'ok' } });
  });
});

describe('query', () => {
  it.each([
    ['an unknown parameter', '?limit=1&page=2', 'page'],
    ['a repeated parameter', '?limit=1&limit=2', 'limit'],
    ['limit 0', '?limit=0', 'limit'],
    ['a negative limit', '?limit=-1', 'limit'],
    ['a limit that is not a number', '?limit=ten', 'limit'],
    ['a fractional limit', '?limit=1.5', 'limit'],
    ['__proto__', '?__proto__=1', '__proto__'],
    ['a broken selector', '?selector=status.state', 'selector'],
    ['a field that is not selectable', '?selector=metadata.rev%20==%20x', 'selector'],
    ['a made-up cursor', '?cursor=abc', 'cursor'],
  ])('%s is 400, and the answer names it', async (_name, query, path) => {
    const { status, json } = await api.request(`/v1alpha/networks${query}`);
    expect(status).toBe(400);
    expect(json.details.map((detail: { path: string }) => detail.path)).toContain(path);
  });

  it.each([
    [
      '/v1alpha/networks',
      'status.state == operational',
      'status.state is never \\"operational\\": its values are ',
    ],
    [
      '/v1alpha/networks',
      'spec.persistent != maybe',
      'spec.persistent is never \\"maybe\\": its values are true, false',
    ],
    ['/v1alpha/networks', 'spec.chain.type IN (Base, Etherum)', 'spec.chain.type is never \\"Etherum\\": '],
    ['/transaction/v1alpha1/transaction/token', 'type == ERC21', 'type is never \\"ERC21\\": '],
    ['/v1alpha/snapshots', 'status.state == ready', 'status.state is never \\"ready\\": '],
  ])('%s?selector=%s is answered with a Warning', async (path, selector, warning) => {
    const { status, headers } = await api.request(`${path}?selector=${encodeURIComponent(selector)}`);
    expect([status, headers.get('warning')]).toEqual([200, expect.stringContaining(warning)]);
  });

  it('a selector with values that there are brings no Warning, nor one of a field that has any', async () => {
    const selector = 'status.state IN (Error, Stopped) && metadata.name == x && metadata.labels.a == b';
    const { headers } = await api.request(`/v1alpha/networks?selector=${encodeURIComponent(selector)}`);
    expect(headers.get('warning')).toBeNull();
  });

  it.each([
    ['unknown', (number: number) => `p${number}`],
    ['repeated', () => 'limit=1'],
  ])('of thousands of %s parameters, the first hundred are named', async (_what, parameter) => {
    const query = Array.from({ length: 2000 }, (_, number) => parameter(number)).join('&');
    const { status, json } = await api.request(`/v1alpha/networks?${query}`);
    expect([status, json.details.length]).toEqual([400, 100]);
    expect(json.message.length).toBeLessThanOrEqual(2000);
  });

  it('an endpoint without parameters refuses any parameter', async () => {
    const { status } = await api.request('/v1alpha/networks/x?verbose=1');
    expect(status).toBe(400);
  });
});

describe('headers', () => {
  it('the request id is returned, in the Error too; an invalid one is replaced', async () => {
    const kept = await api.request('/nothing', { headers: { 'X-Request-ID': 'my-id.1' } });
    expect(kept.headers.get('x-request-id')).toBe('my-id.1');
    expect(kept.json.requestId).toBe('my-id.1');
    const replaced = await api.request('/nothing', { headers: { 'X-Request-ID': 'a b"' } });
    expect(replaced.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('headers do not reveal the server software, and prevent caching and sniffing', async () => {
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
