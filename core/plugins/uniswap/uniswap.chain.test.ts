import { Contract, JsonRpcProvider, keccak256, parseEther, TypedDataEncoder, toQuantity } from 'ethers';
import { tokenContractsForTests } from '../../../hack/contracts/forTests.ts';
import { evmDrivers } from '../../chains/evm/drivers.ts';
import { planContext } from '../../chains/testing/planContext.ts';
import { runSteps } from '../../deploy/runner.ts';
import type { Step } from '../../deploy/step.ts';
import { createKiller, killPoints } from '../../tokens/testing/killer.ts';
import {
  accounts,
  createDurable,
  type Durable,
  type Hook,
  noncesOf,
  portsOf,
  useNetworks,
} from '../../tokens/testing/networks.ts';
import type { PluginStep, PluginStepsInput } from '../plugin.ts';
import { describePlugin } from '../testing/conformance.ts';
import { pairInitCodeHash, poolInitCodeHash } from './contracts.ts';
import { uniswap } from './plugin.ts';

const contracts = tokenContractsForTests();
const user = accounts.deployer;

describe('the plugin', () => {
  describePlugin({ plugin: uniswap, config: {}, contracts });
});

it.each([
  ['UniswapV2Pair', pairInitCodeHash],
  ['UniswapV3Pool', poolInitCodeHash],
])('the init code of %s has the hash that the SDKs compute addresses with', (name, hash) => {
  expect(keccak256(contracts.uniswap(name).bytecode)).toBe(hash);
});

describe('on a chain', () => {
  const networks = useNetworks([['Base', evmDrivers.Base]]);
  let provider: JsonRpcProvider;
  let addresses: Record<string, string>;
  let empty: unknown;

  beforeAll(async () => {
    const [network] = networks;
    provider = new JsonRpcProvider(network?.chain.url, undefined, { cacheTimeout: -1, pollingInterval: 20 });
    await provider.send('anvil_setBalance', [accounts.service, toQuantity(parseEther('100'))]);
    empty = await provider.send('evm_snapshot', []);
    addresses = (await deploy(createDurable())).addresses ?? {};
  });
  afterAll(() => provider.destroy());

  function inputOf(): PluginStepsInput<'uniswap'> {
    const [network] = networks;
    const url = network?.chain.url ?? '';
    return {
      config: {},
      chain: { type: 'Ethereum', chainId: network?.chain.chainId ?? '', rpcUrl: url, wsUrl: url },
      others: [],
      deriveSecret: planContext.deriveSecret,
      hostOf: planContext.hostOf,
      network: { id: network?.id ?? '', incarnation: 'one' },
      accounts: { deployer: accounts.service, service: accounts.service },
      contracts,
    };
  }

  async function deploy(durable: Durable, hook?: Hook) {
    const input = inputOf();
    const steps = (uniswap.steps?.(input) ?? []).filter(isOnChain);
    const abis = uniswap.errorAbis?.(contracts) ?? [];
    const { outcomes, known } = await runSteps({ steps, ports: portsOf(networks, durable, hook), abis });
    const isDone = [...outcomes.values()].every(({ state }) => state === 'done');
    return { isDone, outcomes, ...(isDone ? uniswap.report?.(input, known) : {}) };
  }

  const at = (name: string, artifact = name) =>
    new Contract(addresses[name] ?? '', contracts.uniswap(artifact).abi, provider);
  const read = (contract: Contract, name: string, ...args: unknown[]) => contract.getFunction(name)(...args);

  it('there is code at each address that is reported', async () => {
    const codes = await Promise.all(Object.values(addresses).map((address) => provider.getCode(address)));
    expect(codes.filter((code) => code === '0x')).toEqual([]);
    expect(Object.keys(addresses)).toHaveLength(20);
  });

  it('Permit2 is at its canonical address, and signs for this chain', async () => {
    expect(addresses.Permit2).toBe('0x000000000022D473030F116dDEE9F6B43aC78BA3');
    const { chainId } = await provider.getNetwork();
    const domain = { name: 'Permit2', chainId, verifyingContract: addresses.Permit2 ?? '' };
    expect(await read(at('Permit2'), 'DOMAIN_SEPARATOR')).toBe(TypedDataEncoder.hashDomain(domain));
  });

  it('the factory knows the demo pool under the address that is reported', async () => {
    const { WETH9, DemoToken } = addresses;
    const pool = await read(at('UniswapV3Factory'), 'getPool', WETH9, DemoToken, 3000);
    expect(pool).toBe(addresses.DemoPool);
  });

  it('a user swaps a coin for what the quoter says', async () => {
    const { WETH9, DemoToken } = addresses;
    await provider.send('anvil_impersonateAccount', [user]);
    const from = await provider.getSigner(user);
    const amountIn = parseEther('1');
    const pair = { tokenIn: WETH9, tokenOut: DemoToken, fee: 3000, sqrtPriceLimitX96: 0 };
    const quote = await at('QuoterV2')
      .getFunction('quoteExactInputSingle')
      .staticCall({ ...pair, amountIn });
    const params = {
      ...pair,
      recipient: user,
      deadline: 2n ** 255n,
      amountIn,
      amountOutMinimum: 0,
    };
    const router = at('SwapRouter').connect(from) as Contract;
    // The first swap of a second also stores the pool's price, which an estimate within the same second does not know.
    await (
      await router.getFunction('exactInputSingle')(params, { value: amountIn, gasLimit: 1_000_000 })
    ).wait();
    const token = new Contract(DemoToken ?? '', contracts.erc20('CappedToken').abi, provider);
    expect(await read(token, 'balanceOf', user)).toBe(quote[0]);
    // 2000 at the middle, less the fee and the move of the price by a tenth of the pool.
    expect(quote[0]).toBeGreaterThan(parseEther('1800'));
    expect(quote[0]).toBeLessThan(parseEther('2000'));
  });

  it('every contract is deployed once, however often the process is killed', async () => {
    const [network] = networks;
    if (!network) throw new Error('no network');
    const { service: undisturbed } = await noncesOf(network);
    await provider.send('evm_revert', [empty]);
    const durable = createDurable();
    const killed = new Set<string>();
    for (let run = 0; run < 400; run += 1) {
      const point = killPoints[run % killPoints.length] ?? 'before send';
      const killer = createKiller(point, 3 + (run % 9));
      const { isDone } = await deploy(durable, killer.hook);
      if (isDone && !killer.hasKilled) break;
      if (killer.hasKilled) killed.add(point);
    }
    expect([...killed].sort()).toEqual([...killPoints].sort());
    expect((await noncesOf(network)).service).toBe(undisturbed);
  });
});

const isOnChain = (step: PluginStep): step is Step => step.kind !== 'service';
