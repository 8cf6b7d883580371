import { type Contract, parseEther, solidityPackedKeccak256 } from 'ethers';
import { createFollower } from '../../../engines/vrf/src/follow.ts';
import { createProver } from '../../../engines/vrf/src/prover.ts';
import type { WordsRequest } from '../../../engines/vrf/src/requests.ts';
import { evmDrivers } from '../../chains/evm/drivers.ts';
import { planContext } from '../../chains/testing/planContext.ts';
import { useNetworks } from '../../tokens/testing/networks.ts';
import { provingSecretOf } from './keys.ts';
import { prove, secretKeyOf } from './proof.ts';
import {
  contractOf,
  contracts,
  deployConsumer,
  deployPlugin,
  inputFor,
  type Report,
  startAgent,
  wordsFor,
} from './testing/network.ts';

const [network] = [useNetworks([['Ethereum', evmDrivers.Ethereum]])];
const first = () => {
  const [one] = network;
  if (!one) throw new Error('there is no network');
  return one;
};
const secretKey = secretKeyOf(provingSecretOf(planContext));
const prover = () => createProver(first().rpc, secretKey);
const coordinatorAbi = contracts.chainlink('VRFCoordinatorV2_5').abi;

let report: Report;
let coordinator: Contract;
let subscription: Contract;
let agent: ReturnType<typeof startAgent> | undefined;

beforeAll(async () => {
  report = await deployPlugin(first(), inputFor(first()));
  coordinator = contractOf(first(), report.addresses.coordinator ?? '', coordinatorAbi);
  const { abi } = contracts.vrf('DemoSubscription');
  subscription = contractOf(first(), report.addresses.subscriptionOwner ?? '', abi);
});
beforeEach(() => {
  agent = startAgent(first(), prover());
});
afterEach(() => agent?.stop());

async function send(contract: Contract, name: string, ...args: unknown[]) {
  const sent = await contract.getFunction(name).send(...args);
  return sent.wait();
}

const dice = () => deployConsumer(first(), 'Dice', report.addresses.coordinator ?? '');
const roll = (consumer: Contract, subscriptionId: unknown, isNative: boolean) =>
  send(consumer, 'roll', report.values.keyHash, subscriptionId, isNative, 3);

/** A consumer with the subscription that everybody may use. */
async function diceOfAll(): Promise<Contract> {
  const consumer = await dice();
  await send(subscription, 'addConsumer', report.values.subscriptionId, consumer.target);
  return consumer;
}

/** A request that nobody answers, with what it is proven from. */
async function openRequest(consumer: Contract): Promise<WordsRequest> {
  await agent?.stop();
  await roll(consumer, report.values.subscriptionId, false);
  const { requests } = await createFollower(first().rpc, report.values.keyHash ?? '').next();
  const id = await consumer.getFunction('lastRequest').staticCall();
  const found = requests.find(({ requestId }) => requestId === id);
  if (!found) throw new Error('the request was not announced');
  return found;
}

it('the key that the coordinator knows is the one in the report', async () => {
  const hash = await coordinator.getFunction('s_provingKeyHashes').staticCall(0);
  expect(hash).toBe(report.values.keyHash);
});

it.each([
  ['LINK', false],
  ['coins', true],
])('a VRFConsumerBaseV2Plus consumer gets words, paid in %s', async (_currency, isNative) => {
  const consumer = await diceOfAll();
  await roll(consumer, report.values.subscriptionId, isNative);
  const words = await wordsFor(consumer);
  expect(new Set(words).size).toBe(3);
});

it('a consumer of a subscription of its own waits until that has funds', async () => {
  await send(coordinator, 'createSubscription');
  const ids: bigint[] = await coordinator.getFunction('getActiveSubscriptionIds').staticCall(0, 0);
  const id = ids.at(-1);
  const consumer = await dice();
  await send(coordinator, 'addConsumer', id, consumer.target);
  await roll(consumer, id, true);
  const request = await consumer.getFunction('lastRequest').staticCall();
  const pending = () => coordinator.getFunction('pendingRequestExists').staticCall(id);
  expect(await pending()).toBe(true);
  expect(await consumer.getFunction('wordsOf').staticCall(request)).toHaveLength(0);
  await send(coordinator, 'fundSubscriptionWithNative', id, { value: parseEther('1') });
  expect(await wordsFor(consumer)).toHaveLength(3);
  expect(await pending()).toBe(false);
});

it('a consumer without a subscription pays the wrapper', async () => {
  const consumer = await deployConsumer(first(), 'DirectDice', report.addresses.wrapper ?? '');
  await first().chain.send({ to: String(consumer.target), value: parseEther('1') });
  await send(consumer, 'roll');
  expect(await wordsFor(consumer)).toHaveLength(1);
});

it('everybody can get LINK', async () => {
  await send(subscription, 'drip');
  const link = contractOf(first(), report.addresses.link ?? '', contracts.chainlink('LinkToken').abi);
  const { wallet } = first().chain;
  expect(await link.getFunction('balanceOf').staticCall(wallet.address)).toBe(parseEther('100'));
});

it('only the account that added a consumer to the subscription of all removes it', async () => {
  const { wrapper } = report.addresses;
  const removal = subscription.getFunction('removeConsumer');
  await expect(removal.staticCall(report.values.subscriptionId, wrapper)).rejects.toThrow();
  const consumer = await diceOfAll();
  await send(subscription, 'removeConsumer', report.values.subscriptionId, consumer.target);
  await expect(roll(consumer, report.values.subscriptionId, false)).rejects.toThrow();
});

it('the words follow from the proof, and a second answer to a request is refused', async () => {
  const consumer = await diceOfAll();
  const request = await openRequest(consumer);
  const answer = await prover().answer(request);
  await first().chain.send(answer ?? {});
  const { gamma } = prove(secretKey, request);
  const randomness = solidityPackedKeccak256(['uint256', 'uint256[2]'], [3, gamma]);
  const expected = BigInt(solidityPackedKeccak256(['uint256', 'uint256'], [randomness, 0]));
  expect((await wordsFor(consumer))[0]).toBe(expected);
  await expect(first().chain.provider.call(answer ?? {})).rejects.toThrow();
  expect(await prover().isOpen(request)).toBe(false);
});

it.each([
  ['is changed', (data: string) => `${data.slice(0, 400)}${data[400] === '0' ? '1' : '0'}${data.slice(401)}`],
  ['is about another block', undefined],
])('a proof that %s is refused', async (_reason, change) => {
  const request = await openRequest(await diceOfAll());
  const forged = change ? request : { ...request, blockHash: `0x${'11'.repeat(32)}` };
  const { to, data } = (await prover().answer(forged)) ?? { to: '', data: '' };
  await expect(first().chain.provider.call({ to, data: change?.(data) ?? data })).rejects.toThrow();
  expect(await prover().isOpen(request)).toBe(true);
});

it('a proof by another key is refused', async () => {
  const request = await openRequest(await diceOfAll());
  const other = createProver(first().rpc, secretKey + 1n);
  const answer = await other.answer(request);
  await expect(first().chain.provider.call(answer ?? {})).rejects.toThrow();
});

it('a request that another contract made up is not open', async () => {
  const request = await openRequest(await diceOfAll());
  expect(await prover().isOpen(request)).toBe(true);
  expect(await prover().isOpen({ ...request, callbackGasLimit: 1n })).toBe(false);
  expect(await prover().isOpen({ ...request, coordinator: String(subscription.target) })).toBe(false);
});

it('requests that were made while no agent ran are answered by the next one, each once', async () => {
  await agent?.stop();
  const consumers = [await diceOfAll(), await diceOfAll(), await diceOfAll()];
  for (const consumer of consumers) await roll(consumer, report.values.subscriptionId, false);
  agent = startAgent(first(), prover());
  for (const consumer of consumers) expect(await wordsFor(consumer)).toHaveLength(3);
  const filter = coordinator.filters.RandomWordsFulfilled;
  const fulfilled = filter ? await coordinator.queryFilter(filter()) : [];
  const ids = fulfilled.map(({ topics }) => topics[1]);
  expect(new Set(ids).size).toBe(ids.length);
});

it('the agent goes on when the chain is rolled back', async () => {
  const { provider } = first().chain;
  const consumer = await diceOfAll();
  const snapshot = await provider.send('evm_snapshot', []);
  await roll(consumer, report.values.subscriptionId, false);
  await wordsFor(consumer);
  await provider.send('evm_revert', [snapshot]);
  await roll(consumer, report.values.subscriptionId, true);
  expect(await wordsFor(consumer)).toHaveLength(3);
});

it('a chain that makes blocks at intervals confirms requests by itself', async () => {
  const { provider } = first().chain;
  const consumer = await diceOfAll();
  await provider.send('evm_setIntervalMining', [1]);
  try {
    const receipt = await roll(consumer, report.values.subscriptionId, false);
    expect(await wordsFor(consumer)).toHaveLength(3);
    expect(await provider.getBlockNumber()).toBeGreaterThanOrEqual((receipt?.blockNumber ?? 0) + 3);
  } finally {
    await provider.send('evm_setIntervalMining', [0]);
    await provider.send('evm_setAutomine', [true]);
  }
});
