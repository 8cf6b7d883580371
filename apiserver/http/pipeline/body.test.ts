import { createFakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { startTestApi, type TestApi } from '../../testing/harness.ts';

/** Bodies that are refused before a handler sees them. */

const users = [{ userId: 'ann', workspaceId: 'one', namespace: 'ws-one' }];

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ kube: createFakeKube(), users });
});
afterAll(() => api.close());

const post = (options: object) => api.request('/v1alpha/networks', { method: 'POST', ...options });
const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

it.each([
  ['no body', { raw: '' }, 400, ''],
  ['invalid JSON', { raw: '{"name":' }, 400, ''],
  ['text after JSON', { raw: '{} {}' }, 400, ''],
  ['bytes that are not UTF-8', { raw: Buffer.from([0x7b, 0xff, 0x7d]) }, 400, ''],
  ['a repeated key', { raw: '{"spec":{"chain":1,"chain":2}}' }, 400, 'spec.chain'],
  ['__proto__', { raw: '{"spec":{"__proto__":{"x":1}}}' }, 400, 'spec.__proto__'],
  ['__proto__ with escapes', { raw: '{"__pro\\u0074o__":1}' }, 400, '__proto__'],
  ['constructor', { raw: '{"spec":[{},{"constructor":1}]}' }, 400, 'spec[1].constructor'],
  ['prototype', { raw: '{"prototype":1}' }, 400, 'prototype'],
  ['JSON nested too deeply', { raw: nested(33) }, 400, expect.stringMatching(/^a(\[0\])+/)],
  ['extremely deep JSON', { raw: '['.repeat(100_000) }, 400, expect.anything()],
  ['a list', { raw: '[]' }, 400, ''],
  ['null', { raw: 'null' }, 400, ''],
])('%s is refused', async (_name, options, status, path) => {
  const answer = await post(options);
  expect(answer.status).toBe(status);
  expect(answer.json.kind).toBe('Error');
  if (path) expect(answer.json.details[0].path).toEqual(path);
});

it('32 levels are accepted', async () => {
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

it('a JSON content type with a charset is accepted', async () => {
  const headers = { 'Content-Type': 'application/json;charset="UTF-8"' };
  expect((await post({ raw: '{}', headers })).status).toBe(400);
});

it('more than 1 MiB is 413, with or without Content-Length', async () => {
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

it('reports every invalid field', async () => {
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
