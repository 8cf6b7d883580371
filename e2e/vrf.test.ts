import { jest } from '@jest/globals';
import { Contract, ContractFactory, JsonRpcProvider } from 'ethers';
import { tokenContractsForTests } from '../hack/contracts/forTests.ts';
import { createHotKey, endpointsOf, type HotKey, reach, remove } from './lib/networks.ts';
import { call, freshName, until } from './lib/service.ts';

jest.setTimeout(300_000);

const contracts = tokenContractsForTests();
let key: HotKey;
let id: string;
let provider: JsonRpcProvider;

beforeAll(async () => {
  key = await createHotKey();
  const spec = { privateKeyRef: { name: key.name }, plugins: { vrf: {} } };
  const { status, body } = await call('POST', '/v1alpha/networks', {
    body: { name: freshName('vrf'), spec: { chain: { type: 'Ethereum', ethereum: spec } } },
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  ({ id } = body);
  await reach(id, 'Operational');
  const { rpc } = await endpointsOf(id);
  provider = new JsonRpcProvider(rpc, undefined, { cacheTimeout: -1 });
});
afterAll(async () => {
  provider?.destroy();
  await remove(id);
});

const pluginOf = async () => (await call('GET', `/v1alpha/networks/${id}`)).body.status.plugins?.vrf;
const ready = () => until('the plugin', pluginOf, (plugin) => plugin?.state === 'Ready', 120_000);

/** Deploys a consumer, adds it to the subscription of all, and returns the words that it gets. */
async function roll(): Promise<bigint[]> {
  const { addresses, values } = await ready();
  const wallet = key.wallet.connect(provider);
  const { abi, bytecode } = contracts.vrf('Dice');
  const deployed = await new ContractFactory(abi, bytecode, wallet).deploy(addresses.coordinator);
  await deployed.waitForDeployment();
  const dice = new Contract(deployed.target, abi, wallet);
  const owner = new Contract(addresses.subscriptionOwner, contracts.vrf('DemoSubscription').abi, wallet);
  await (await owner.getFunction('addConsumer').send(values.subscriptionId, dice.target)).wait();
  await (await dice.getFunction('roll').send(values.keyHash, values.subscriptionId, false, 3)).wait();
  const request = await dice.getFunction('lastRequest').staticCall();
  const words = () => dice.getFunction('wordsOf').staticCall(request);
  return until('the words', words, (found: bigint[]) => found.length > 0);
}

it('a VRFConsumerBaseV2Plus consumer gets words', async () => {
  expect(new Set(await roll()).size).toBe(3);
});

it('a consumer gets words on the new chain after a reset', async () => {
  const before = (await ready()).addresses.coordinator;
  const { body } = await call('GET', `/v1alpha/networks/${id}`);
  const spec = { ...body.spec, maintenanceRequest: { action: 'ResetState', nonce: 1 } };
  const { status } = await call('PUT', `/v1alpha/networks/${id}`, { body: { name: body.name, spec } });
  expect(status).toBe(200);
  await until('the new coordinator', pluginOf, (plugin) => {
    return plugin?.state === 'Ready' && plugin.addresses.coordinator !== before;
  });
  expect(await roll()).toHaveLength(3);
});
