import { startTestApi, type TestApi } from '../../../apiserver/testing/harness.ts';
import { together } from '../../../apiserver/testing/together.ts';
import { apiVersion } from '../../../core/api/names.ts';
import { testAddress } from '../../../core/api/testing/builders.ts';
import type { Kube } from '../../../core/kube/kube.ts';
import { createFakeKube, type FakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { type AddressNameResource, addressNameType, maxNames } from '../api/addressName.ts';

const ours = { workspaceId: 'one', namespace: 'ws-one' };
const users = [
  { userId: 'ann', ...ours },
  { userId: 'vic', role: 'viewer' as const, ...ours },
  { userId: 'eve', workspaceId: 'two', namespace: 'ws-two' },
];
const small = testAddress.toLowerCase();
const other = `0x${'ab'.repeat(20)}`;

let kube: FakeKube;
let api: TestApi;
beforeEach(async () => {
  kube = createFakeKube();
  api = await startTestApi({ kube, users });
});
afterEach(() => api.close());

const book = async (as = 'ann') => (await api.request('/v1alpha/addresses', { as })).json.items;
const set = (address: string, body: object, as = 'ann') =>
  api.request(`/v1alpha/addresses/${address}`, { method: 'PUT', body, as });
const remove = (address: string, as = 'ann') =>
  api.request(`/v1alpha/addresses/${address}`, { method: 'DELETE', as });
const anEntry = (name: string, called: string): AddressNameResource => ({
  apiVersion,
  kind: 'AddressName',
  metadata: { name, namespace: ours.namespace },
  spec: { name: called },
});

it('an address is named, renamed and removed, however it is written', async () => {
  const first = await set(testAddress, { name: 'treasury', note: 'Safe' });
  expect([first.status, first.json]).toEqual([
    200,
    {
      kind: 'AddressName',
      version: 'v1alpha',
      address: small,
      name: 'treasury',
      note: 'Safe',
      createdAt: expect.any(String),
    },
  ]);
  expect((await set(small, { name: 'Treasury 2' })).json).not.toHaveProperty('note');
  expect(await book()).toMatchObject([{ address: small, name: 'Treasury 2' }]);
  expect((await remove(testAddress)).json).toMatchObject({ address: small, name: 'Treasury 2' });
  expect(await book()).toEqual([]);
});

it('the book is ordered by name, whatever its letters', async () => {
  await set(testAddress, { name: 'bridge' });
  await set(other, { name: 'Aave' });
  expect((await book()).map(({ name }: { name: string }) => name)).toEqual(['Aave', 'bridge']);
});

it.each([
  ['the same', 'treasury'],
  ['in another case', 'TREASURY'],
  ['in letters of another form', 'ｔreasury'],
])('a name that another address has is refused with that address: %s', async (_how, name) => {
  await set(testAddress, { name: 'treasury' });
  const { status, json } = await set(other, { name });
  expect([status, json.message]).toEqual([409, expect.stringContaining(`is the name of ${small}`)]);
  expect((await set(testAddress, { name })).status).toBe(200);
});

it.each([
  ['no name', {}, 'name', 'required'],
  ['an empty one', { name: '' }, 'name', 'must not be empty'],
  ['one that is too long', { name: 'a'.repeat(65) }, 'name', '64'],
  ['one that begins like an address', { name: '0xTreasury' }, 'name', 'must not begin with 0x'],
  ['another address', { name: other }, 'name', 'must not begin with 0x'],
  ['a line break', { name: 'a\nb' }, 'name', 'invisible characters'],
  ['text that changes its direction', { name: 'a\u202eb' }, 'name', 'invisible characters'],
  ['a character without width', { name: 'tre\u200basury' }, 'name', 'invisible characters'],
  ['a blank at its begin', { name: ' treasury' }, 'name', 'begin or end with a blank'],
  ['a blank at its end', { name: 'treasury\u00a0' }, 'name', 'begin or end with a blank'],
  ['a note that is too long', { name: 'a', note: 'n'.repeat(257) }, 'note', '256'],
  ['a note with hidden text', { name: 'a', note: 'x\u2066y' }, 'note', 'invisible characters'],
])('%s is refused with the field and the reason', async (_what, body, path, message) => {
  const { status, json } = await set(testAddress, body);
  expect([status, json.details]).toEqual([
    400,
    expect.arrayContaining([{ path, message: expect.stringContaining(message) }]),
  ]);
  expect(await book()).toEqual([]);
});

it.each([
  ['that is none', 'treasury', 'use an address'],
  ['with a wrong checksum', testAddress.replace('70997970C5', '70997970c5'), 'wrong checksum'],
])('an address %s is refused', async (_what, address, message) => {
  const { status, json } = await set(address, { name: 'treasury' });
  expect([status, json.details]).toEqual([
    400,
    [{ path: 'address', message: expect.stringContaining(message) }],
  ]);
  expect((await remove(address)).status).toBe(400);
});

it('an address without a name cannot be removed', async () => {
  const { status, json } = await remove(other);
  expect([status, json.message]).toEqual([
    404,
    expect.stringContaining(`${other} is not in the address book`),
  ]);
});

it('viewers see the names of their workspace, and change none', async () => {
  await set(testAddress, { name: 'treasury' });
  expect(await book('vic')).toMatchObject([{ name: 'treasury' }]);
  expect((await set(other, { name: 'mine' }, 'vic')).status).toBe(403);
  expect((await remove(testAddress, 'vic')).status).toBe(403);
  expect(await book()).toHaveLength(1);
});

it('each workspace has a book of its own', async () => {
  await set(testAddress, { name: 'treasury' });
  expect(await book('eve')).toEqual([]);
  expect((await remove(testAddress, 'eve')).status).toBe(404);
  expect((await set(other, { name: 'treasury' }, 'eve')).status).toBe(200);
  expect(await book()).toMatchObject([{ address: small }]);
});

it('a book that is full takes no other address, but other names', async () => {
  const addressAt = (index: number) => `0x${index.toString(16).padStart(40, '0')}`;
  for (let index = 0; index < maxNames; index++)
    await kube.create(addressNameType, anEntry(addressAt(index), `name ${index}`));
  const { status, json } = await set(testAddress, { name: 'treasury' });
  expect([status, json.message]).toEqual([
    429,
    expect.stringContaining(`${maxNames} names, which is the limit`),
  ]);
  expect((await set(addressAt(1), { name: 'treasury' })).status).toBe(200);
});

it('of two addresses that see the last place at the same moment, none exceeds the limit', async () => {
  const addressAt = (index: number) => `0x${index.toString(16).padStart(40, '0')}`;
  for (let index = 1; index < maxNames; index++)
    await kube.create(addressNameType, anEntry(addressAt(index), `name ${index}`));
  for (const verb of ['create', 'list'] as const) together({ kube }, { verb, kind: 'AddressName', count: 2 });
  const answers = await Promise.all([small, other].map((address) => set(address, { name: `of ${address}` })));
  expect(answers.map(({ status }) => status)).toEqual([429, 429]);
  expect(await book()).toHaveLength(maxNames - 1);
});

it('of two addresses that get one name at the same moment, no two keep it, and one that had a name has it again', async () => {
  await set(small, { name: 'before' });
  // Both have seen that it is free, and both have written before either looks again.
  for (const verb of ['create', 'list'] as const) together({ kube }, { verb, kind: 'AddressName', count: 2 });
  const answers = await Promise.all([small, other].map((address) => set(address, { name: 'treasury' })));
  expect(answers.map(({ status }) => status)).toEqual([409, 409]);
  expect(await book()).toMatchObject([{ address: small, name: 'before' }]);
  expect((await set(other, { name: 'treasury' })).status).toBe(200);
});

it('an address that was removed while it was renamed is a conflict, and not named again', async () => {
  const removing: Kube = {
    ...kube,
    async get(kind, ref) {
      const found = await kube.get(kind, ref);
      if (kind.kind === 'AddressName') await kube.delete(kind, ref);
      return found;
    },
  };
  await set(testAddress, { name: 'treasury' });
  const late = await startTestApi({ kube: removing, users });
  const body = { name: 'vault' };
  const { status, json } = await late.request(`/v1alpha/addresses/${small}`, { method: 'PUT', body });
  await late.close();
  expect([status, json.message]).toEqual([409, expect.stringContaining('retry')]);
  expect(await book()).toEqual([]);
});
