import { setTimeout as sleep } from 'node:timers/promises';
import type { Contract } from 'ethers';
import { createCommittee } from '../../../engines/vrf/src/committee.ts';
import { createFollower } from '../../../engines/vrf/src/follow.ts';
import type { WordsRequest } from '../../../engines/vrf/src/requests.ts';
import { evmDrivers } from '../../chains/evm/drivers.ts';
import { createDurable, useNetworks } from '../../tokens/testing/networks.ts';
import { committeeOf } from './steps/committee.ts';
import { infoOf, latestRound, noCommittee, startCommittee, type TestCommittee } from './testing/committee.ts';
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

const suite = noCommittee ? describe.skip : describe;

suite(`a committee of drand nodes${noCommittee ? ` (skipped: ${noCommittee})` : ''}`, () => {
  const networks = useNetworks([['Ethereum', evmDrivers.Ethereum]]);
  let committee: TestCommittee;
  let report: Report;
  let coordinator: Contract;
  let info: string;
  let agent: ReturnType<typeof startAgent> | undefined;

  const network = () => {
    const [first] = networks;
    if (!first) throw new Error('there is no network');
    return first;
  };
  const responder = () => createCommittee(network().rpc, committee.urls);
  const dice = () => deployConsumer(network(), 'Dice', report.addresses.coordinator ?? '');
  const roll = async (consumer: Contract) => {
    const sent = await consumer.getFunction('roll').send(report.values.keyHash, 0, false, 3);
    await sent.wait();
  };
  const answered = async () => {
    const consumer = await dice();
    await roll(consumer);
    return wordsFor(consumer);
  };
  const url = () => committee.urls[0] ?? '';

  /** A request that nobody answers. */
  async function openRequest(): Promise<WordsRequest> {
    await agent?.stop();
    const consumer = await dice();
    await roll(consumer);
    const { requests } = await createFollower(network().rpc, report.values.keyHash ?? '').next();
    const last = requests.at(-1);
    if (!last) throw new Error('the request was not announced');
    return last;
  }

  async function answerTo(request: WordsRequest) {
    for (;;) {
      const answer = await responder().answer(request);
      if (answer) return answer;
      await sleep(100);
    }
  }

  const durable = createDurable();
  const deploy = () =>
    deployPlugin(network(), inputFor(network(), 'mpc'), { answer: () => committeeOf(info), durable });

  beforeAll(async () => {
    committee = await startCommittee();
    info = await infoOf(url());
    report = await deploy();
    const { abi } = contracts.vrf('MpcCoordinator');
    coordinator = contractOf(network(), report.addresses.coordinator ?? '', abi);
  });
  beforeEach(() => {
    agent = startAgent(network(), responder());
  });
  afterEach(() => agent?.stop());
  afterAll(() => committee?.stop());

  it('gives words to a VRFConsumerBaseV2Plus consumer', async () => {
    expect(new Set(await answered()).size).toBe(3);
  });

  it('answers a request once: a second answer is refused', async () => {
    const request = await openRequest();
    const answer = await answerTo(request);
    await network().chain.send(answer);
    expect(await responder().isOpen(request)).toBe(false);
    await expect(network().chain.provider.call(answer)).rejects.toThrow();
  });

  it('has the signature of another round refused', async () => {
    const request = await openRequest();
    await answerTo(request);
    const { data } = await answerTo(await openRequest());
    const signature = contracts.vrf('MpcCoordinator').abi.decodeFunctionData('fulfillRandomWords', data)[1];
    const fulfil = coordinator.getFunction('fulfillRandomWords');
    await expect(fulfil.staticCall(request.requestId, [...signature])).rejects.toThrow();
    await expect(fulfil.staticCall(request.requestId, [1n, 2n])).rejects.toThrow();
    expect(await responder().isOpen(request)).toBe(true);
  });

  it('is changed by nobody but the service', async () => {
    const change = coordinator.getFunction('setCommittee');
    await expect(change.staticCall([1n, 2n, 3n, 4n], 1, 1)).rejects.toThrow();
  });

  it('is answered by the next agent when none ran', async () => {
    await agent?.stop();
    const consumer = await dice();
    await roll(consumer);
    agent = startAgent(network(), responder());
    expect(await wordsFor(consumer)).toHaveLength(3);
  });

  it('goes on without one node, stands still without two, and goes on when one is back', async () => {
    await committee.kill(3);
    expect(await answered()).toHaveLength(3);
    await committee.kill(2);
    const request = await openRequest();
    const before = await latestRound(url());
    const due = Number(request.preSeed);
    await sleep(Math.max(0, due - before + 2) * 1000);
    expect(await latestRound(url())).toBeLessThan(due);
    expect(await responder().answer(request)).toBeUndefined();
    committee.start(2);
    await answerTo(request);
    committee.start(3);
    expect(await infoOf(url())).toBe(info);
  });

  it('has a new key when a node lost its share; open requests are answered under it', async () => {
    const request = await openRequest();
    await committee.kill(1);
    committee.forget(1);
    committee.start(1);
    info = await infoOf(url(), info);
    expect((await deploy()).addresses).toEqual(report.addresses);
    await network().chain.send(await answerTo(request));
    expect(await responder().isOpen(request)).toBe(false);
  });
});
