import { tokenType } from '../../core/api/resources/resources.ts';
import { aToken } from '../../core/api/testing/builders.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { startTokenApi, type TokenApi, unknownId } from './testing/fixtures.ts';

let tokens: TokenApi<FakeKube>;
let networks: string[];
let id: string;
beforeEach(async () => {
  tokens = await startTokenApi(createFakeKube());
  networks = [await tokens.addNetwork('first'), await tokens.addNetwork('second')];
  const deployments = networks.map((network_id) => ({ network_id, args: { total_supply: '1' } }));
  id = (await tokens.deploy('', { body: { deployments } })).json.id;
});
afterEach(() => tokens.api.close());

const remove = (path: string, as = 'ann') => tokens.ask(path, { method: 'DELETE', as });
const networksLeft = async () => (await tokens.stored(id))?.spec.deployments.map(({ network }) => network);

test('deletes a token with all its records', async () => {
  const { status, text } = await remove(`/${id}`);
  expect([status, text]).toEqual([204, '']);
  expect(await tokens.stored(id)).toBeUndefined();
  for (const path of [`/${id}`, `/${id}/deployments`, `/${id}/deployments/${networks[0]}`]) {
    expect((await tokens.ask(path)).status).toBe(404);
  }
  expect((await tokens.ask('')).json.items).toEqual([]);
  expect((await remove(`/${id}`)).status).toBe(404);
});

test('REST does not show a token that is being deleted but has a finalizer', async () => {
  const metadata = { finalizers: ['example.com/held'] };
  const held = await tokens.kube.create(tokenType, aToken({ namespace: tokens.namespace, metadata }));
  const path = `/${held.metadata.uid}`;
  expect((await remove(path, 'ada')).status).toBe(204);
  expect((await tokens.ask(path)).status).toBe(404);
  expect((await remove(path, 'ada')).status).toBe(404);
  const replica = await tokens.replica();
  try {
    expect((await replica.request(`/transaction/v1alpha1/transaction/token${path}`)).status).toBe(404);
  } finally {
    await replica.close();
  }
});

test('deleting a deployment deletes nothing else, not even the token with the last one', async () => {
  const [first = '', second = ''] = networks;
  const { status, text } = await remove(`/${id}/deployments/${first}`);
  expect([status, text]).toEqual([204, '']);
  expect(await networksLeft()).toEqual(['second']);
  expect((await tokens.ask(`/${id}/deployments/${first}`)).status).toBe(404);
  expect((await remove(`/${id}/deployments/${first}`)).status).toBe(404);
  expect((await remove(`/${id}/deployments/${second}`)).status).toBe(204);
  const { status: left, json } = await tokens.ask(`/${id}`);
  expect([left, json.deployments, json.total_supply]).toEqual([200, [], '1']);
  expect(tokens.kube.requests.filter(({ verb, kind }) => verb === 'delete' && kind === 'Network')).toEqual(
    [],
  );
});

test('a deployment that is deleted and requested again is a new deployment', async () => {
  const [first = ''] = networks;
  const address = `0x${'a'.repeat(40)}`;
  await tokens.setStatus(id, [
    { network: 'first', networkID: first, state: 'Deployed', tokenAddress: address },
  ]);
  await remove(`/${id}/deployments/${first}`);
  const body = { networks: [first], args: { total_supply: '2' } };
  const { json } = await tokens.ask(`/${id}/add-deployments`, { body });
  expect(json.deployments[1]).toMatchObject({ network_id: first, token_address: '', args: body.args });
  const nonces = (await tokens.stored(id))?.spec.deployments.map(({ nonce }) => nonce);
  expect(nonces).toEqual([undefined, expect.any(Number)]);
});

test('a record of a deleted network is deleted by the former id of the network', async () => {
  const [first = ''] = networks;
  await tokens.api.request(`/v1alpha/networks/${first}`, { method: 'DELETE' });
  expect((await remove(`/${id}/deployments/${first}`)).status).toBe(204);
  expect(await networksLeft()).toEqual(['second']);
});

test.each([
  ['dan', 403, 'another member'],
  ['vic', 403, 'a viewer'],
  ['ben', 404, 'a user of another workspace'],
  ['ada', 204, 'an administrator of the workspace'],
])('%s gets %i: %s', async (as, status) => {
  expect((await remove(`/${id}/deployments/${networks[0]}`, as)).status).toBe(status);
  expect((await remove(`/${id}`, as)).status).toBe(status);
  expect((await tokens.stored(id)) === undefined).toBe(status === 204);
});

test('a token or deployment that does not exist is 404', async () => {
  expect((await remove(`/${unknownId}`)).status).toBe(404);
  expect((await remove(`/${unknownId}/deployments/${networks[0]}`)).status).toBe(404);
  expect((await remove(`/${id}/deployments/${unknownId}`)).status).toBe(404);
});
