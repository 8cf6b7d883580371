import { secretType } from '../../../core/api/resources/resources.ts';
import { type NetworkApi, startNetworkApi } from '../../testing/networkApi.ts';

const firstOfJunk = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const keyOfFirst = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const ownKey = `0x${'e1'.repeat(32)}`;

let api: NetworkApi;
let id: string;
beforeAll(async () => {
  api = await startNetworkApi();
  const data = Buffer.from(ownKey.slice(2), 'hex').toString('base64');
  await api.request('/v1alpha/secrets', { body: { name: 'hot-key', type: 'private-key', data } });
  const ethereum = { privateKeyRef: { name: 'hot-key' }, developmentAccounts: true };
  ({ id } = await api.create('a', { spec: { chain: { type: 'Ethereum', ethereum } } }));
});
afterAll(() => api.close());

const accounts = async (of = id) => (await api.request(`/v1alpha/networks/${of}/accounts`)).json.items;
const keyOf = (address: string) => api.request(`/v1alpha/networks/${id}/accounts/${address}/key`);

it('lists the accounts that a spec funds, with their origin and without their keys', async () => {
  const items = await accounts();
  expect(items[0]).toMatchObject({ source: 'privateKeyRef', secret: 'hot-key', hasKey: true });
  expect(items[1]).toEqual({ address: firstOfJunk, source: 'developmentAccounts', index: 0, hasKey: true });
  expect(items).toHaveLength(11);
  expect(JSON.stringify(items)).not.toContain(ownKey.slice(2));
});

it('gives the key of a secret to its owner, and those that everybody has', async () => {
  const [{ address }] = await accounts();
  expect((await keyOf(address.toLowerCase())).json).toMatchObject({ address, privateKey: ownKey });
  expect((await keyOf(firstOfJunk)).json.privateKey).toBe(keyOfFirst);
  const operations = api.audits.map(({ operation }) => operation);
  expect(operations.filter((one) => one === 'getNetworkAccountKey')).toHaveLength(2);
});

it('keeps the key of a secret of somebody else, and knows no other accounts', async () => {
  const { metadata } = (await api.kube.get(secretType, { namespace: 'ws-one', name: 'hot-key' })) ?? {};
  if (!metadata) throw new Error('the secret is gone');
  const labels = { ...metadata.labels, 'slipway.dev/owner': 'carla' };
  await api.kube.patch(secretType, metadata, { metadata: { labels } });
  expect((await keyOf(`0x${'00'.repeat(20)}`)).status).toBe(404);
  const found = await accounts();
  // Sealed for its owner, it opens for nobody else.
  expect(
    found.some(
      ({ source, hasKey }: { source: string; hasKey: boolean }) => source === 'privateKeyRef' && hasKey,
    ),
  ).toBe(false);
});
