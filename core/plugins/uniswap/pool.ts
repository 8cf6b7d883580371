import { AbiCoder, getCreate2Address, keccak256, MaxUint256 } from 'ethers';
import type { TokenContracts } from '../../deploy/artifacts.ts';
import { reads, readsAtLeast } from '../../deploy/reads.ts';
import type { CallStep, Known, Step } from '../../deploy/step.ts';
import { call, create, type StepOwner, stepId } from '../../deploy/steps.ts';
import { encodeCall } from '../../evm/contractCalls.ts';
import { poolInitCodeHash } from './contracts.ts';

const unit = 10n ** 18n;
/** What the pool begins with: 2000 of the demo token for a coin. */
const coins = 10n * unit;
const tokens = 20_000n * unit;
/** What is not in the pool stays with the service's account: users get the token by a swap. */
const supply = 1_000_000_000n * unit;
const fee = 3000;
/** The whole range of prices at the tick spacing of this fee. */
const lastTick = 887_220;

export const demoToken = 'DemoToken';
export const demoPool = 'DemoPool';
const approval = 'demo-approval';

export interface PoolInput {
  owner: StepOwner;
  /** Signs the steps and owns the position. */
  account: string;
  contracts: TokenContracts;
}

/** A v3 pool of WETH9 and a demo token with 0.3 % fee and liquidity at every price. */
export function poolSteps(input: PoolInput): Step[] {
  const { owner, account, contracts } = input;
  const { abi } = contracts.erc20('CappedToken');
  const allowance = (known: Known) => ({
    to: known.get(owner.network.id, demoToken),
    abi,
    name: 'allowance',
    args: [account, known.get(owner.network.id, 'NonfungiblePositionManager')],
  });
  return [
    create(owner, {
      name: demoToken,
      title: 'deploys a demo token',
      contract: contracts.erc20('CappedToken'),
      args: () => ['Demo Dollar', 'DEMO', 18, supply, supply, account],
    }),
    call(owner, {
      name: approval,
      title: 'lets the position manager take the demo token',
      after: [demoToken, 'NonfungiblePositionManager'].map((name) => stepId(owner.network, name)),
      call: (known) => ({
        ...allowance(known),
        name: 'approve',
        args: [known.get(owner.network.id, 'NonfungiblePositionManager'), MaxUint256],
      }),
      reads: (known) => [reads(allowance(known), MaxUint256)],
    }),
    liquidityStep(input),
  ];
}

/** One transaction makes the pool and pays into it, so that nobody can set its price in between. */
function liquidityStep({ owner, account, contracts }: PoolInput): CallStep {
  const { abi } = contracts.uniswap('NonfungiblePositionManager');
  const pool = contracts.uniswap('UniswapV3Pool').abi;
  return {
    kind: 'call',
    network: owner.network.id,
    scope: owner.scope,
    signer: owner.signer,
    name: demoPool,
    title: 'makes a pool with liquidity',
    after: [approval, 'WETH9', 'UniswapV3Factory'].map((name) => stepId(owner.network, name)),
    transaction(known) {
      const { token0, token1, amount0, amount1 } = sidesOf(known, owner.network.id);
      const to = known.get(owner.network.id, 'NonfungiblePositionManager');
      const pair = [token0, token1, fee];
      const range = [-lastTick, lastTick];
      const made = { to, abi, name: 'createAndInitializePoolIfNecessary' };
      const paid = [...pair, ...range, amount0, amount1, 0, 0, account, MaxUint256];
      const calls = [
        encodeCall({ ...made, args: [...pair, sqrtPriceOf(amount0, amount1)] }),
        encodeCall({ to, abi, name: 'mint', args: [paid] }),
        encodeCall({ to, abi, name: 'refundETH' }),
      ];
      return { to, data: encodeCall({ to, abi, name: 'multicall', args: [calls] }), value: coins };
    },
    reads: (known) => [
      readsAtLeast({ to: poolAddressOf(known, owner.network.id), abi: pool, name: 'liquidity' }, 1n),
    ],
  };
}

function sidesOf(known: Known, network: string) {
  const weth = known.get(network, 'WETH9');
  const token = known.get(network, demoToken);
  return BigInt(weth) < BigInt(token)
    ? { token0: weth, token1: token, amount0: coins, amount1: tokens }
    : { token0: token, token1: weth, amount0: tokens, amount1: coins };
}

/** The address that the factory gives to the pool: https://docs.uniswap.org/contracts/v3/reference/periphery/libraries/PoolAddress */
export function poolAddressOf(known: Known, network: string): string {
  const { token0, token1 } = sidesOf(known, network);
  const key = AbiCoder.defaultAbiCoder().encode(['address', 'address', 'uint24'], [token0, token1, fee]);
  return getCreate2Address(known.get(network, 'UniswapV3Factory'), keccak256(key), poolInitCodeHash);
}

/** The square root of the price of token0 in token1 as a Q64.96 number, rounded down. */
function sqrtPriceOf(amount0: bigint, amount1: bigint): bigint {
  return squareRoot((amount1 << 192n) / amount0);
}

/** Newton's method from above, rounded down. */
function squareRoot(value: bigint): bigint {
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (root + value / root) / 2n;
    if (next >= root) return root;
    root = next;
  }
}
