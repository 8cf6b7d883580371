import { Contract, ContractFactory, JsonRpcProvider } from 'ethers';
import { tokenContractsForTests } from '../../hack/contracts/forTests.ts';
import { createHotKey, endpointsOf, type HotKey, reach } from './networks.ts';
import { call, freshName, until } from './service.ts';

const contracts = tokenContractsForTests();

/** A network with the plugin vrf. */
export interface VrfNetwork {
  id: string;
  key: HotKey;
  provider: JsonRpcProvider;
}

export async function createVrfNetwork(vrf: object): Promise<VrfNetwork> {
  const key = await createHotKey();
  const spec = { privateKeyRef: { name: key.name }, plugins: { vrf } };
  const { status, body } = await call('POST', '/v1alpha/networks', {
    body: { name: freshName('vrf'), spec: { chain: { type: 'Ethereum', ethereum: spec } } },
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  await reach(body.id, 'Operational');
  const { rpc } = await endpointsOf(body.id);
  return { id: body.id, key, provider: new JsonRpcProvider(rpc, undefined, { cacheTimeout: -1 }) };
}

/** The plugin's entry in the network's status once it is ready, deployed after `former`: its contracts may have the same addresses. */
export async function readyVrf({ id }: VrfNetwork, former?: string) {
  const ask = async () => (await call('GET', `/v1alpha/networks/${id}`)).body.status.plugins?.vrf;
  return until('the plugin vrf', ask, (vrf) => vrf?.state === 'Ready' && vrf.deployment !== former);
}

/** Deploys a consumer, adds it to the subscription of all if there is one, and returns the words that it gets. */
export async function rollDice(network: VrfNetwork, former?: string): Promise<bigint[]> {
  const { addresses, values } = await readyVrf(network, former);
  const wallet = network.key.wallet.connect(network.provider);
  const { abi, bytecode } = contracts.vrf('Dice');
  const deployed = await new ContractFactory(abi, bytecode, wallet).deploy(addresses.coordinator);
  await deployed.waitForDeployment();
  const dice = new Contract(deployed.target, abi, wallet);
  const { subscriptionId = 0 } = values;
  if (addresses.subscriptionOwner) {
    const owner = new Contract(addresses.subscriptionOwner, contracts.vrf('DemoSubscription').abi, wallet);
    await (await owner.getFunction('addConsumer').send(subscriptionId, dice.target)).wait();
  }
  await (await dice.getFunction('roll').send(values.keyHash, subscriptionId, false, 3)).wait();
  const request = await dice.getFunction('lastRequest').staticCall();
  const words = () => dice.getFunction('wordsOf').staticCall(request);
  return until('the words', words, (found: bigint[]) => found.length > 0);
}
