import { createFakeKube } from '../../core/kube/testing/fake/fake.ts';
import { startTestApi, type TestApi } from '../testing/harness.ts';
import { createServeConsole } from './console.ts';

const script = {
  contentType: 'text/javascript; charset=utf-8',
  body: Buffer.from('plain'),
  encoded: { gzip: Buffer.from('zipped') },
};
const page = { contentType: 'text/html; charset=utf-8', body: Buffer.from('<!doctype html>'), encoded: {} };

let api: TestApi;
beforeAll(async () => {
  const serveConsole = createServeConsole({
    page,
    assets: new Map([['/assets/main-abc.js', script]]),
    guide: new Map([
      ['', { ...page, body: Buffer.from('all documents') }],
      ['networks', { ...page, body: Buffer.from('about networks') }],
      ['404', { ...page, body: Buffer.from('no such document') }],
    ]),
  });
  api = await startTestApi({ kube: createFakeKube(), users: [], serveConsole });
});
afterAll(() => api.close());

const browser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const open = (path: string, headers: Record<string, string> = browser, method = 'GET') =>
  api.request(path, { as: null, headers, method });

test.each(['/', '/networks', '/networks/new?type=Solana', '/no/such/page'])(
  'a browser that opens %s gets the page, which nothing may keep',
  async (path) => {
    const { status, headers, text } = await open(path);
    expect([status, text]).toEqual([200, '<!doctype html>']);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  },
);

test('the page runs scripts of this service alone, and cannot be framed', async () => {
  const policy = (await open('/')).headers.get('content-security-policy') ?? '';
  const sources = policy.split('; ').map((directive) => directive.split(' ').slice(1));
  const allowed = ["'none'", "'self'", 'data:', "'script'"];
  expect(sources.flat().filter((source) => !allowed.includes(source))).toEqual([]);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("require-trusted-types-for 'script'");
});

test.each([
  ['/guide/', 200, 'all documents'],
  ['/guide/networks', 200, 'about networks'],
  ['/guide/networks?from=console', 200, 'about networks'],
  ['/guide/nothing', 404, 'no such document'],
])('the documentation is at %s: %i', async (path, status, expected) => {
  const answer = await open(path);
  expect([answer.status, answer.text]).toEqual([status, expected]);
  expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
});

test('/guide leads to the folder, to which its links are relative', async () => {
  const { status, headers } = await fetch(`${api.url}/guide`, { redirect: 'manual' });
  expect([status, headers.get('location')]).toEqual([308, 'guide/']);
});

test('an asset has its content in its name, so that browsers keep it', async () => {
  const { status, headers, text } = await open('/assets/main-abc.js', { 'Accept-Encoding': 'identity' });
  expect([status, text]).toEqual([200, 'plain']);
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
});

test.each([
  ['gzip, deflate', 'gzip'],
  ['br', null],
  ['gzip;q=0', null],
])('to a browser that accepts %s, the encoding is %s', async (accepted, expected) => {
  const answer = await fetch(`${api.url}/assets/main-abc.js`, {
    method: 'HEAD',
    headers: { 'Accept-Encoding': accepted },
  });
  expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, expected]);
  expect(answer.headers.get('vary')).toContain('Accept-Encoding');
});

test.each([
  ['/assets/main-old.js', 404],
  ['/v1alpha/networks', 401],
  ['/v1alpha/no/such/path', 404],
  ['/workspace/v1alpha1/nothing', 404],
])('what a browser opens at %s is of the API: %i as JSON', async (path, expected) => {
  const { status, json } = await open(path);
  expect([status, json.kind]).toEqual([expected, 'Error']);
});

test('the page of the API stays at /docs', async () => {
  expect((await open('/docs')).text).toContain('Slipway API');
});

test('programs find the index at /, and errors elsewhere', async () => {
  expect((await open('/', { Accept: '*/*' })).json.name).toBe('Slipway');
  expect((await open('/networks', { Accept: 'application/json' })).status).toBe(404);
  expect((await open('/networks', browser, 'POST')).status).toBe(404);
});
