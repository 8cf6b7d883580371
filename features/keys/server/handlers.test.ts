import { type NetworkApi, startNetworkApi } from '../../../apiserver/testing/networkApi.ts';
import { apiVersion } from '../../../core/api/names.ts';
import { rpcKeyType } from '../api/rpcKey.ts';

let api: NetworkApi;
beforeEach(async () => {
  api = await startNetworkApi();
});
afterEach(() => api.close());

it.each([
  ['b', 'a key named "ci" already exists in this workspace, of the network "b": use another name'],
  ['a', 'a key named "ci" already exists in this workspace, of this network: use another name'],
])('a name that is taken on %s names its network', async (network, message) => {
  const { id } = await api.create('a');
  await api.create('b');
  const metadata = { name: 'ci', namespace: 'ws-one' };
  api.kube.seed(rpcKeyType, { apiVersion, kind: 'RpcKey', metadata, spec: { network } });
  const { status, json } = await api.request(`/v1alpha/networks/${id}/keys`, { body: { name: 'ci' } });
  expect([status, json]).toMatchObject([409, { message, details: [{ path: 'name', message }] }]);
});
