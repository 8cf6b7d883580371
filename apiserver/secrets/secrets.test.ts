import { isSealed } from '../../core/accounts/seal.ts';
import { networkType, secretType } from '../../core/api/resources/resources.ts';
import { aNetwork, aSecret } from '../../core/api/testing/builders.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { compact } from '../../core/lib/compact.ts';
import { AppError } from '../../core/lib/errors.ts';
import { admin, startAccountsApi } from '../testing/accountsApi.ts';
import { eventually } from '../testing/eventually.ts';
import { startTestApi, type TestApi, testSealer } from '../testing/harness.ts';

const users = [
  { userId: 'ann', workspaceId: 'one', namespace: 'ws-one' },
  { userId: 'ben', workspaceId: 'two', namespace: 'ws-two' },
  { userId: 'dev', workspaceId: 'one', namespace: 'ws-one', role: 'developer' },
  { userId: 'dan', workspaceId: 'one', namespace: 'ws-one', role: 'developer' },
] as const;
const bytes = Buffer.alloc(32, 0x9a);
const data = bytes.toString('base64');
const hex = bytes.toString('hex');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const hexText = base64(hex);

let kube: FakeKube;
let api: TestApi;
beforeEach(async () => {
  kube = createFakeKube();
  api = await startTestApi({ kube, users });
});
afterEach(() => api.close());

const post = (body: object, as?: string) => api.request('/v1alpha/secrets', { body, ...compact({ as }) });
const create = async (name: string, as?: string) =>
  (await post({ name, type: 'private-key', data }, as)).json;
const get = (id: string, as?: string) => api.request(`/v1alpha/secrets/${id}`, compact({ as }));
const remove = (id: string, as?: string) =>
  api.request(`/v1alpha/secrets/${id}`, { method: 'DELETE', ...compact({ as }) });
const names = (json: { items: { name: string }[] }) => json.items.map(({ name }) => name);

describe('create', () => {
  it('stores only the sealed bytes, bound to their name and namespace', async () => {
    const { status, headers, json } = await post({ name: 'key', type: 'private-key', data });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      kind: 'Secret',
      version: 'v1alpha',
      name: 'key',
      type: 'private-key',
      data,
      metadata: { name: 'key', ownerID: 'ann', workspace: 'one', rev: 1 },
    });
    expect(headers.get('location')).toBe(`/v1alpha/secrets/${json.id}`);
    const stored = await kube.get(secretType, { namespace: 'ws-one', name: 'key' });
    const sealed = stored?.spec.data ?? '';
    expect(isSealed(sealed)).toBe(true);
    expect(JSON.stringify(stored)).not.toContain(data);
    expect(testSealer.unseal(sealed, { namespace: 'ws-one', name: 'key', owner: 'ann' })).toEqual(bytes);
  });

  it.each([
    ['not base64', { type: 'x', data: 'a b' }, 'data'],
    ['base64 without padding', { type: 'x', data: 'YQ' }, 'data'],
    ['base64 with loose bits', { type: 'x', data: 'YR==' }, 'data'],
    ['base64url', { type: 'x', data: '_-8=' }, 'data'],
    ['empty data', { type: 'x', data: '' }, 'data'],
    ['too much data', { type: 'x', data: Buffer.alloc(65_537).toString('base64') }, 'data'],
    [
      'a sealed text',
      { type: 'x', data: testSealer.seal(bytes, { namespace: 'ws-one', name: 'key', owner: 'ann' }) },
      'data',
    ],
    ['a number', { type: 'x', data: 5 }, 'data'],
    ['no type', { data }, 'type'],
    ['an unknown field', { type: 'x', data, hint: 'y' }, 'hint'],
    ['another name in metadata', { type: 'x', data, metadata: { name: 'other' } }, 'metadata.name'],
  ])('%s is 400, and the answer names but never quotes it', async (_reason, body, path) => {
    const { status, json, text } = await post({ name: 'key', ...body });
    expect(status).toBe(400);
    expect(json.details.map((detail: { path: string }) => detail.path)).toEqual([path]);
    if ('data' in body && String(body.data).length > 4) expect(text).not.toContain(String(body.data));
    expect(kube.requests.filter(({ verb, kind }) => verb === 'create' && kind === 'Secret')).toEqual([]);
  });

  it('accepts 64 KiB, and hexadecimal text for types other than keys', async () => {
    const large = Buffer.alloc(65_536, 1).toString('base64');
    expect((await post({ name: 'large', type: 'blob', data: large })).status).toBe(201);
    expect((await post({ name: 'text', type: 'text', data: hexText })).status).toBe(201);
  });

  it.each([
    ['a key of 32 bytes', 'private-key', data],
    ['an Ed25519 key with its public key', 'private-key', Buffer.alloc(64, 7).toString('base64')],
    ['any bytes of a type that is not read', 'ssh-private-key', base64('x')],
    ['hexadecimal text of a type that is not read', 'encrypted-private-key', hexText],
  ])('accepts %s', async (_what, type, given) => {
    const { status, headers } = await post({ name: 'key', type, data: given });
    expect([status, headers.get('warning')]).toEqual([201, null]);
  });

  it.each([
    ['a key of 31 bytes', 'private-key', Buffer.alloc(31, 7).toString('base64'), /32 bytes: it holds 31/],
    ['a key of 31 bytes', 'ethereum-private-key', Buffer.alloc(31, 7).toString('base64'), /holds 31/],
    ['base64 of hexadecimal text', 'private-key', hexText, /hexadecimal text.*xxd -r -p/],
    ['hexadecimal text', 'private-key', hex, /hexadecimal text.*xxd -r -p/],
    ['combining marks', 'mnemonic', base64('a\u0316\u0301'.repeat(100)), /12 to 24 English words/],
  ])('accepts %s as the %s, and warns that nothing can use it', async (_what, type, given, expected) => {
    const { status, headers } = await post({ name: 'key', type, data: given });
    expect(status).toBe(201);
    expect(headers.get('warning')).toMatch(expected);
  });

  it('a name that is in use is 409', async () => {
    await create('key');
    const { status, json } = await post({ name: 'key', type: 'x', data });
    expect(status).toBe(409);
    expect(json.details[0].path).toBe('name');
  });
});

describe('visibility', () => {
  it('the owner gets the data, by id and in the list', async () => {
    const { id } = await create('key');
    expect((await get(id)).json.data).toBe(data);
    const list = await api.request('/v1alpha/secrets');
    expect(list.json).toMatchObject({
      kind: 'SecretList',
      items: [{ name: 'key', type: 'private-key', data }],
    });
  });

  it('a key of the owner that may only read gets no data, nor the keys of accounts', async () => {
    const { ask, post: send, api: accounts } = await startAccountsApi();
    const { id } = await send(admin, '/v1alpha/secrets', { name: 'key', type: 'private-key', data });
    const chain = { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'key' } } };
    const network = await send(admin, '/v1alpha/networks', { name: 'net', spec: { chain } });
    const { token } = await send(admin, '/workspaces/default/api-keys', { name: 'k', role: 'viewer' });
    const [one, all] = [await ask(token, `/v1alpha/secrets/${id}`), await ask(token, '/v1alpha/secrets')];
    const { json: funded } = await ask(token, `/v1alpha/networks/${network.id}/accounts`);
    const [{ address }] = funded.items;
    const key = await ask(token, `/v1alpha/networks/${network.id}/accounts/${address}/key`);
    await accounts.close();
    expect([one.json, ...all.json.items].map((secret) => 'data' in secret)).toEqual([false, false]);
    expect(funded.items).toMatchObject([{ address, secret: 'key', hasKey: false }]);
    expect([key.status, key.json.message]).toEqual([403, expect.stringContaining('secrets:write')]);
  });

  it('other members of the workspace see name and type, never the data', async () => {
    const { id } = await create('key');
    const seen = await get(id, 'dev');
    expect(seen.json).toMatchObject({ name: 'key', type: 'private-key' });
    expect(seen.json).not.toHaveProperty('data');
    expect((await api.request('/v1alpha/secrets', { as: 'dev' })).json.items).toEqual([]);
  });

  it('a selector on the owner searches the whole workspace, without the data of others', async () => {
    await create('of-ann');
    await create('of-dev', 'dev');
    const query = (selector: string) =>
      api.request(`/v1alpha/secrets?selector=${encodeURIComponent(selector)}`, { as: 'dev' });
    const others = await query('metadata.ownerID != dev');
    expect(names(others.json)).toEqual(['of-ann']);
    expect(others.text).not.toContain(data);
    const all = await query('metadata.ownerID IN (ann, dev)');
    expect(all.json.items.map((item: { data?: string }) => item.data)).toEqual([undefined, data]);
  });

  it('selects by type', async () => {
    await create('key');
    await post({ name: 'words', type: 'mnemonic', data: base64('test test junk') });
    const { json } = await api.request(`/v1alpha/secrets?selector=${encodeURIComponent('type == mnemonic')}`);
    expect(names(json)).toEqual(['words']);
  });

  it('a secret of another workspace is 404, like one that does not exist', async () => {
    const { id } = await create('key');
    const unknown = await get('00000000-0000-4000-8000-000000000000', 'ben');
    for (const answer of [await get(id, 'ben'), await remove(id, 'ben')]) {
      expect(answer.status).toBe(404);
      expect({ ...answer.json, requestId: '' }).toEqual({ ...unknown.json, requestId: '' });
    }
  });

  it('one without an owner shows its data to nobody, and any writer of secrets may delete it', async () => {
    const sealed = testSealer.seal(bytes, { namespace: 'ws-one', name: 'nobodys', owner: '' });
    const { metadata } = kube.seed(
      secretType,
      aSecret({ name: 'nobodys', namespace: 'ws-one', metadata: { labels: {} }, spec: { data: sealed } }),
    );
    const id = String(metadata.uid);
    for (const user of ['ann', 'dev']) expect((await get(id, user)).json).not.toHaveProperty('data');
    expect((await remove(id, 'dan')).status).toBe(200);
  });

  it('a secret that was relabelled with another owner shows its data to neither', async () => {
    const { id } = await create('key');
    const place = { namespace: 'ws-one', name: 'key' };
    await kube.patch(secretType, place, { metadata: { labels: { 'slipway.dev/owner': 'dev' } } });
    const list = () => api.request('/v1alpha/secrets', { as: 'dev' });
    const listed = await eventually(list, ({ json }) => json.items.length === 1);
    expect(listed.text).not.toContain(data);
    expect((await get(id, 'ann')).json).not.toHaveProperty('data');
    const seen = await get(id, 'dev');
    expect(seen.json.message).toMatch(/sealed for another owner/);
    expect(seen.text).not.toContain(data);
  });

  it('a secret that cannot be unsealed does not hide the others', async () => {
    const labels = { 'slipway.dev/owner': 'ann' };
    const foreign = testSealer.seal(bytes, { namespace: 'elsewhere', name: 'broken', owner: 'ann' });
    const { metadata } = kube.seed(
      secretType,
      aSecret({ name: 'broken', namespace: 'ws-one', metadata: { labels }, spec: { data: foreign } }),
    );
    await create('key');
    const { status, json } = await api.request('/v1alpha/secrets');
    expect(status).toBe(200);
    expect(json.items.map((item: { data?: string }) => item.data)).toEqual([undefined, data]);
    const single = await get(String(metadata.uid));
    expect(single.status).toBe(500);
    expect(single.text).not.toContain(foreign);
  });
});

describe('delete', () => {
  it('answers with the secret without its data, and deletes it', async () => {
    const { id } = await create('key');
    const { status, json } = await remove(id);
    expect(status).toBe(200);
    expect(json).toMatchObject({ id, name: 'key', type: 'private-key' });
    expect(json).not.toHaveProperty('data');
    expect((await get(id)).status).toBe(404);
    expect((await remove(id)).status).toBe(404);
  });

  it.each([
    ['privateKeyRef', { privateKeyRef: { name: 'key' } }],
    ['mnemonicRef', { privateKeyRef: { name: 'other' }, mnemonicRef: { name: 'key' } }],
    ['sourceRef', { privateKeyRef: { name: 'other' }, forking: { sourceRef: { name: 'key' } } }],
  ])('is 409 while a network refers to it by %s', async (_field, ethereum) => {
    const { id } = await create('key');
    kube.seed(
      networkType,
      aNetwork({ name: 'user', namespace: 'ws-one', spec: { chain: { type: 'Ethereum', ethereum } } }),
    );
    const { status, json } = await remove(id);
    expect(status).toBe(409);
    expect(json.message).toContain('"user"');
    await kube.delete(networkType, { namespace: 'ws-one', name: 'user' });
    await settled();
    expect((await remove(id)).status).toBe(200);
  });

  it('ignores references from networks of another workspace', async () => {
    const { id } = await create('hot-key');
    kube.seed(networkType, aNetwork({ namespace: 'ws-two' }));
    expect((await remove(id)).status).toBe(200);
  });

  it('is allowed for its owner and for administrators of the workspace', async () => {
    const { id } = await create('key', 'dev');
    expect((await remove(id, 'dan')).status).toBe(403);
    expect((await remove(id, 'ann')).status).toBe(200);
  });

  it('is 503 if the references cannot be checked', async () => {
    const { id } = await create('key');
    kube.failNext({ verb: 'list', error: new AppError('Unavailable', 'down', { retryAfterSeconds: 1 }) });
    expect((await remove(id)).status).toBe(503);
    expect((await get(id)).status).toBe(200);
  });
});

it('each mutation and each read writes an audit line without any value', async () => {
  const { id } = await create('key');
  await get(id);
  await get(id, 'dev');
  await api.request('/v1alpha/secrets');
  await get('nothing');
  await remove(id);
  const object = `secret key (${id})`;
  expect(
    api.audits.map(({ operation, user, outcome, objects }) => [operation, user, outcome, objects]),
  ).toEqual([
    ['createSecret', 'ann', 'ok', object],
    ['getSecret', 'ann', 'ok', object],
    ['getSecret', 'dev', 'ok', object],
    ['listSecrets', 'ann', 'ok', object],
    ['getSecret', 'ann', 'NotFound', 'nothing'],
    ['deleteSecret', 'ann', 'ok', object],
  ]);
  expect(api.audits.every(({ requestId }) => typeof requestId === 'string')).toBe(true);
  expect(JSON.stringify(api.audits)).not.toContain(data);
});

/** Waits until the cache shows objects that were written directly. */
async function settled(): Promise<void> {
  const list = () => api.request('/v1alpha/networks');
  await eventually(list, ({ json }) => json.items.length === 0);
}
