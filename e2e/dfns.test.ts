import { runNodeProject } from './lib/clientProjects.ts';
import { getJson } from './lib/cluster.ts';
import { createHotKey, createNetwork, endpointsOf, reach, remove } from './lib/networks.ts';
import { call, until } from './lib/service.ts';

let id: string;
let network: Awaited<ReturnType<typeof reach>>;
beforeAll(async () => {
  const key = await createHotKey();
  const { status, body } = await createNetwork({ privateKeyRef: { name: key.name }, plugins: { dfns: {} } });
  if (status !== 201) throw new Error(JSON.stringify(body));
  id = body.id;
  await reach(id, 'Operational');
  const ask = () => call('GET', `/v1alpha/networks/${id}`);
  const isReady = ({ body: one }: Awaited<ReturnType<typeof ask>>) =>
    one.status?.plugins?.dfns?.state === 'Ready';
  network = (await until('the plugin dfns to be ready', ask, isReady)).body;
});
afterAll(() => remove(id));

it('an application with the unmodified SDK works with a network, on a host name of its own', async () => {
  const { rpc = '', admin = '', 'dfns-host': url = '' } = await endpointsOf(id);
  expect(url).toMatch(/^https?:\/\/dfns-[0-9a-f]{32}-[a-z2-7]{20}\./);
  const { credentials = '' } = network.status.plugins.dfns.values;
  const secret: { data: Record<string, string> } = await getJson('secret', credentials);
  const dataOf = (name: string) => Buffer.from(secret.data[name] ?? '', 'base64').toString();
  await runNodeProject('dfns', ['node', '--require', './localhost.cjs', '--test', 'wallets.js'], {
    RPC_URL: rpc,
    ADMIN_URL: admin,
    CHAIN_ID: network.status.chainID,
    DFNS_URL: url,
    DFNS_ORG: dataOf('orgId'),
    DFNS_TOKEN: dataOf('authToken'),
    DFNS_CREDENTIAL: dataOf('credId'),
    DFNS_KEY: dataOf('privateKey'),
  });
});

it('nobody without the token gets anything', async () => {
  const { dfns = '' } = await endpointsOf(id);
  expect((await fetch(`${dfns}/wallets`)).status).toBe(401);
});
