import { Contract, ContractFactory, parseEther, zeroPadBytes } from 'ethers';
import { createCommittee } from '../../engines/vrf/src/committee.ts';
import { createProver } from '../../engines/vrf/src/prover.ts';
import { planContext } from '../chains/testing/planContext.ts';
import type { RunningPlan } from '../chains/testing/runPlan.ts';
import { createEvmRpc } from '../evm/rpc.ts';
import { accounts, type TestNetwork } from '../tokens/testing/networks.ts';
import { chainlink } from './chainlink/plugin.ts';
import { compileConsumer } from './chainlink/testing/consumer.ts';
import { chainlinkSkipReason, type RunningNode, startNode } from './chainlink/testing/startNode.ts';
import type { Plugin, PluginInput, PluginReport, PluginStepsInput } from './plugin.ts';
import { createStage, performSteps, type Stage } from './testing/performSteps.ts';
import { participantsSkipReason, startParticipants } from './testing/startParticipants.ts';
import { uniswap } from './uniswap/plugin.ts';
import { provingSecretOf } from './vrf/keys.ts';
import { secretKeyOf } from './vrf/proof.ts';
import { committeeOf } from './vrf/steps/committee.ts';
import { infoOf, noCommittee, startCommittee } from './vrf/testing/committee.ts';
import {
  contractOf,
  contracts,
  deployConsumer,
  deployPlugin,
  inputFor,
  startAgent,
  wordsFor,
} from './vrf/testing/network.ts';

/**
 * The plugins on geth with a consensus client, whose blocks come every two seconds. Unlike anvil it mines nothing at once,
 * knows no method that changes the chain, and makes transactions wait for their fees.
 */
const suite = participantsSkipReason ? describe.skip : describe;
const id = '7b1c7f0e-0000-4000-8000-000000000001';

suite(`on a network with participants${participantsSkipReason ? ` (${participantsSkipReason})` : ''}`, () => {
  let network: TestNetwork;
  let running: RunningPlan;
  let stage: Stage;

  beforeAll(async () => {
    const started = await startParticipants({ blockTime: 2 }, [accounts.service]);
    running = started.running;
    network = { id, chain: started.chain, rpc: createEvmRpc({ url: running.url }) };
    stage = createStage(network.chain);
  });
  afterAll(() => network?.chain.stop());

  function inputOf<Name extends 'uniswap' | 'chainlink'>(
    config: PluginInput<Name>['config'],
  ): PluginStepsInput<Name> {
    const { chainId } = network.chain;
    return {
      config,
      chain: { type: 'Ethereum', chainId, rpcUrl: running.url, wsUrl: running.wsUrl },
      others: [],
      ...planContext,
      network: { id, incarnation: '0123456789abcdef' },
      accounts: stage.ports.accounts,
      contracts,
    };
  }

  async function deploy<Name extends 'uniswap' | 'chainlink'>(
    plugin: Plugin<Name>,
    input: PluginStepsInput<Name>,
    urls: Record<string, string> = {},
  ): Promise<Required<PluginReport>> {
    const known = await performSteps(plugin.steps?.(input) ?? [], stage, urls);
    const { addresses = {}, values = {} } = plugin.report?.(input, known) ?? {};
    return { addresses, values };
  }

  const send = async (sent: Promise<{ wait(): Promise<unknown> }>) => (await sent).wait();

  it('uniswap has all its contracts, and its pool swaps a coin for what the quoter says', async () => {
    const { addresses } = await deploy(uniswap, inputOf<'uniswap'>({}));
    const codes = Object.values(addresses).map((address) => network.chain.provider.getCode(address));
    expect((await Promise.all(codes)).filter((code) => code === '0x')).toEqual([]);
    const { WETH9: tokenIn, DemoToken: tokenOut = '' } = addresses;
    const pair = { tokenIn, tokenOut, fee: 3000, sqrtPriceLimitX96: 0, amountIn: parseEther('1') };
    const at = (name: string) => contractOf(network, addresses[name] ?? '', contracts.uniswap(name).abi);
    const [quote] = await at('QuoterV2').getFunction('quoteExactInputSingle').staticCall(pair);
    const recipient = network.chain.wallet.address;
    const params = { ...pair, recipient, deadline: 2n ** 255n, amountOutMinimum: 0 };
    const token = contractOf(network, tokenOut, contracts.erc20('CappedToken').abi);
    const before: bigint = await token.getFunction('balanceOf').staticCall(recipient);
    // An estimate is of the last block's time, in which the pool has already noted its price.
    const overrides = { value: pair.amountIn, gasLimit: 400_000n };
    await send(at('SwapRouter').getFunction('exactInputSingle').send(params, overrides));
    expect(await token.getFunction('balanceOf').staticCall(recipient)).toBe(before + quote);
    expect(quote).toBeGreaterThan(parseEther('1800'));
  });

  it('the agent of vrf answers a VRFConsumerBaseV2Plus consumer, paid in coins and in LINK', async () => {
    const { addresses, values } = await deployPlugin(network, inputFor(network));
    const prover = createProver(network.rpc, secretKeyOf(provingSecretOf(planContext)));
    const agent = startAgent(network, prover);
    try {
      const consumer = await deployConsumer(network, 'Dice', addresses.coordinator ?? '');
      const subscription = contractOf(
        network,
        addresses.subscriptionOwner ?? '',
        contracts.vrf('DemoSubscription').abi,
      );
      await send(subscription.getFunction('addConsumer').send(values.subscriptionId, consumer.target));
      for (const isNative of [true, false]) {
        await send(consumer.getFunction('roll').send(values.keyHash, values.subscriptionId, isNative, 3));
        expect(new Set(await wordsFor(consumer)).size).toBe(3);
      }
    } finally {
      await agent.stop();
    }
  });

  const withCommittee = noCommittee ? it.skip : it;
  withCommittee(
    `the committee of vrf answers a consumer${noCommittee ? ` (skipped: ${noCommittee})` : ''}`,
    async () => {
      const committee = await startCommittee();
      try {
        const info = await infoOf(committee.urls[0] ?? '');
        const { addresses, values } = await deployPlugin(network, inputFor(network, 'mpc'), {
          answer: () => committeeOf(info),
        });
        const agent = startAgent(network, createCommittee(network.rpc, committee.urls));
        const consumer = await deployConsumer(network, 'Dice', addresses.coordinator ?? '');
        await send(consumer.getFunction('roll').send(values.keyHash, 0, false, 3));
        expect(new Set(await wordsFor(consumer)).size).toBe(3);
        await agent.stop();
      } finally {
        await committee.stop();
      }
    },
    240_000,
  );

  const withNode = chainlinkSkipReason ? it.skip : it;
  withNode(
    `the node of chainlink fulfils a request and keeps its feeds${chainlinkSkipReason ? ` (${chainlinkSkipReason})` : ''}`,
    async () => {
      const input = inputOf<'chainlink'>({});
      const node: RunningNode = await startNode(input);
      try {
        const { addresses, values } = await deploy(chainlink, input, { chainlink: node.url });
        const { abi, bytecode } = await compileConsumer();
        const factory = new ContractFactory(abi.fragments, bytecode, network.chain.wallet);
        const deployed = await factory.deploy(addresses.linkToken, addresses.operator);
        await deployed.waitForDeployment();
        const consumer = new Contract(deployed.target, abi.fragments, network.chain.wallet);
        const specId = zeroPadBytes(`0x${values.echoUint256Job}`, 32);
        const fulfilled = new Promise<void>((resolve) => {
          void network.chain.provider.on('block', async () => {
            if ((await consumer.getFunction('value').staticCall()) === 42n) resolve();
          });
        });
        await send(consumer.getFunction('echo').send(specId, 21n, 2, 0n));
        await fulfilled;
        await network.chain.provider.off('block');
        const feed = contractOf(network, addresses.ethUsdFeed ?? '', contracts.chainlink('PriceFeed').abi);
        expect(await feed.getFunction('latestAnswer').staticCall()).toBe(250_000_000_000n);
      } finally {
        await node.stop();
      }
    },
    300_000,
  );

  it('finds its contracts and sends nothing when the steps are repeated', async () => {
    const again = createStage(network.chain);
    const repeated = { ...again, ports: { ...again.ports, progress: stage.ports.progress } };
    const input = inputOf<'uniswap'>({});
    await performSteps(uniswap.steps?.(input) ?? [], repeated, {});
    expect(again.sent()).toBe(0);
  });
});
