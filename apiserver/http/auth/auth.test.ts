import { createFakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { startTestApi, type TestApi } from '../../testing/harness.ts';

/** Authentication and authorization of requests. */

const users = [
  { userId: 'ann', workspaceId: 'one', namespace: 'ws-one' },
  { userId: 'vic', workspaceId: 'one', namespace: 'ws-one', role: 'viewer' },
] as const;

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ kube: createFakeKube(), users });
});
afterAll(() => api.close());

const right = { 'X-API-Key-ID': 'ann', 'X-API-Key-Secret': 'secret-of-ann' };
it.each([
  ['the key pair', right],
  ['the token as bearer', { Authorization: 'Bearer ann.secret-of-ann' }],
  ['bearer in lower case', { Authorization: 'bearer ann.secret-of-ann' }],
  ['the bare token', { Authorization: 'ann.secret-of-ann' }],
  ['both, matching', { ...right, Authorization: 'Bearer ann.secret-of-ann' }],
  ['with the name of its workspace', { ...right, 'X-Workspace-ID': 'one' }],
])('%s is accepted', async (_name, headers) => {
  expect((await api.request('/v1alpha/networks', { as: null, headers })).status).toBe(200);
});

it.each([
  ['nothing', {}],
  ['an unknown id', { 'X-API-Key-ID': 'bob', 'X-API-Key-Secret': 'secret-of-ann' }],
  ['a wrong secret', { 'X-API-Key-ID': 'ann', 'X-API-Key-Secret': 'secret-of-bob' }],
  ['an empty secret', { 'X-API-Key-ID': 'ann', 'X-API-Key-Secret': '' }],
  ['only the id', { 'X-API-Key-ID': 'ann' }],
  ['only the secret', { 'X-API-Key-Secret': 'secret-of-ann' }],
  ['a wrong token', { Authorization: 'Bearer ann.secret-of-bob' }],
  ['a token without a dot', { Authorization: 'Bearer ann' }],
  ['another scheme', { Authorization: 'Basic YW5uOnNlY3JldA==' }],
  ['both, contradicting', { ...right, Authorization: 'Bearer vic.secret-of-vic' }],
  ['a valid pair and a malformed token', { ...right, Authorization: 'Bearer nonsense' }],
  ['half a pair and a valid token', { 'X-API-Key-ID': 'ann', Authorization: 'Bearer ann.secret-of-ann' }],
])('%s is 401 with the same body', async (_name, headers) => {
  const nothing = await api.request('/v1alpha/networks', { as: null });
  const answer = await api.request('/v1alpha/networks', { as: null, headers });
  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="slipway"');
  expect({ ...answer.json, requestId: '' }).toEqual({ ...nothing.json, requestId: '' });
});

it('a role without the permission is 403, and the answer names the permission', async () => {
  const ethereum = { privateKeyRef: { name: 'k' } };
  const body = { name: 'n', spec: { chain: { type: 'Ethereum', ethereum } } };
  const { status, json } = await api.request('/v1alpha/networks', { as: 'vic', body });
  expect(status).toBe(403);
  expect(json).toMatchObject({ reason: 'Forbidden', message: expect.stringContaining('networks:write') });
});

it('never acts in a workspace other than the named one', async () => {
  const { status } = await api.request('/v1alpha/networks', { headers: { 'X-Workspace-ID': 'two' } });
  expect(status).toBe(404);
});
