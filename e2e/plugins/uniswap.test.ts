import { JsonRpcProvider, parseEther } from 'ethers';
import { runNodeProject } from '../lib/clientProjects.ts';
import { createHotKey, createNetwork, endpointsOf, type HotKey, reach, remove } from '../lib/networks.ts';
import { call, until } from '../lib/service.ts';

const plugins = { uniswap: {} };
let key: HotKey;
let id: string;
beforeAll(async () => {
  key = await createHotKey();
  const { status, body } = await createNetwork({ privateKeyRef: { name: key.name }, plugins });
  if (status !== 201) throw new Error(JSON.stringify(body));
  id = body.id;
});
afterAll(() => remove(id));

async function untilReady(): Promise<Record<string, string>> {
  const ask = () => call('GET', `/v1alpha/networks/${id}`);
  const { body } = await until(
    'the plugin to be ready',
    ask,
    (answer) => answer.body.status?.plugins?.uniswap?.state === 'Ready',
  );
  return body.status.plugins.uniswap.addresses;
}

it('the unmodified SDK swaps in the demo pool', async () => {
  const addresses = await untilReady();
  const { status } = await reach(id, 'Operational');
  const { rpc = '', ws = '', admin = '', 'admin-ws': adminWs = '' } = await endpointsOf(id);
  await runNodeProject('uniswap', ['node', '--test', 'swap.js'], {
    RPC_URL: rpc,
    WS_URL: ws,
    ADMIN_URL: admin,
    ADMIN_WS_URL: adminWs,
    CHAIN_ID: status.chainID,
    PRIVATE_KEY: key.wallet.privateKey,
    ADDRESSES: JSON.stringify(addresses),
  });
});

it('ResetState deploys everything on the new chain', async () => {
  const before = await untilReady();
  const { body } = await call('GET', `/v1alpha/networks/${id}`);
  const spec = { ...body.spec, maintenanceRequest: { action: 'ResetState', nonce: 1 } };
  expect((await call('PUT', `/v1alpha/networks/${id}`, { body: { name: body.name, spec } })).status).toBe(
    200,
  );
  const ask = () => call('GET', `/v1alpha/networks/${id}`);
  await until('the reset', ask, (answer) => answer.body.status?.observedMaintenanceNonce === 1);
  await reach(id, 'Operational');
  const after = await untilReady();
  const { rpc } = await endpointsOf(id);
  const provider = new JsonRpcProvider(rpc);
  const pool = await provider.getBalance(after.WETH9 ?? '');
  provider.destroy();
  // The pool rounds what it takes down.
  expect(parseEther('10') - pool).toBeLessThan(1000n);
  expect(after.Permit2).toBe(before.Permit2);
});
