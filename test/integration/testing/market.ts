import { Contract, Interface, MaxUint256, parseEther, type TransactionReceipt } from 'ethers';
import type { TestChain } from '../../../core/chains/evm/testing/testChain.ts';
import { artifact, creationOf } from '../../../core/evm/testing/contracts.ts';

export const stranger = `0x${'7e'.repeat(20)}`;

export interface Market {
  tokenA: string;
  tokenB: string;
  pair: string;
  router: string;
  receipts: TransactionReceipt[];
}

/** Two tokens, a swap pool that a factory creates, and a user's transactions with them. `seed` varies the amounts. */
export async function runMarket(chain: TestChain, seed: bigint): Promise<Market> {
  const receipts: TransactionReceipt[] = [];
  const { wallet } = chain;
  const send = async (request: Parameters<TestChain['send']>[0]) => {
    const sent = await wallet.sendTransaction(request);
    const receipt = await chain.provider.waitForTransaction(sent.hash).catch(() => null);
    const known = receipt ?? (await chain.provider.getTransactionReceipt(sent.hash));
    if (!known) throw new Error('not mined');
    receipts.push(known);
    return known;
  };
  const create = async (...given: Parameters<typeof creationOf>) =>
    (await send({ data: await creationOf(...given) })).contractAddress ?? '';
  // An estimate would be too tight: pools write more if a second has passed.
  const call = (
    name: Parameters<typeof artifact>[0],
    to: string,
    method: string,
    args: unknown[],
    more = {},
  ) =>
    send({
      to,
      data: new Interface(artifact(name).abi).encodeFunctionData(method, args),
      gasLimit: 4_000_000,
      ...more,
    });

  const supply = parseEther('1000000');
  const tokenA = await create('Token', ['Alpha', 'ALP', supply, wallet.address]);
  const tokenB = await create('Token', ['Beta', 'BET', supply, wallet.address]);
  const factory = await create('PairFactory', [wallet.address]);
  const ether = await create('WrappedEther', []);
  const router = await create('Router', [factory, ether]);
  for (const token of [tokenA, tokenB]) await call('Token', token, 'approve', [router, MaxUint256]);
  const amounts = [parseEther('1000') + seed, parseEther('4000')];
  const liquidity = [tokenA, tokenB, ...amounts, 0, 0, wallet.address, MaxUint256];
  await call('Router', router, 'addLiquidity', liquidity);
  const pair = await new Contract(factory, artifact('PairFactory').abi, chain.provider)
    .getFunction('getPair')
    .staticCall(tokenA, tokenB);
  const swap = [parseEther('10'), 0, [tokenA, tokenB], wallet.address, MaxUint256];
  await call('Router', router, 'swapExactTokensForTokens', swap);
  // The pool's address is only known to its factory.
  await call('Pair', pair, 'approve', [router, MaxUint256]);
  const part = [tokenA, tokenB, parseEther('100'), 0, 0, wallet.address, MaxUint256];
  await call('Router', router, 'removeLiquidity', part);
  await call(
    'Router',
    router,
    'addLiquidityETH',
    [tokenA, parseEther('50'), 0, 0, wallet.address, MaxUint256],
    {
      value: parseEther('1'),
    },
  );
  const way = [ether, tokenA];
  await call('Router', router, 'swapExactETHForTokens', [0, way, wallet.address, MaxUint256], {
    value: 1000n + seed,
  });
  await call('Token', tokenA, 'transfer', [stranger, parseEther('5') + seed]);
  await call('Token', tokenB, 'transfer', [pair, 1]);
  await call('Token', tokenA, 'transfer', [stranger, MaxUint256], { gasLimit: 100_000 });
  await send({ to: stranger, value: seed });
  return { tokenA, tokenB, pair, router, receipts };
}

/** The balances of an account in a market. */
export async function balancesOf(
  chain: TestChain,
  tokens: readonly string[],
  account: string,
): Promise<bigint[]> {
  const { abi } = artifact('Token');
  return Promise.all(
    tokens.map((token) =>
      new Contract(token, abi, chain.provider).getFunction('balanceOf').staticCall(account),
    ),
  );
}
