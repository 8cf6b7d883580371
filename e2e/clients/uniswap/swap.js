import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { Contract, JsonRpcProvider, MaxUint256, NonceManager, parseEther, Wallet } from 'ethers';

// The packages' ES modules name files without their endings, which bundlers accept and Node does not.
const require = createRequire(import.meta.url);
const sdk = require('@uniswap/sdk-core');
const v3 = require('@uniswap/v3-sdk');
const { CurrencyAmount, Percent, Token, TradeType } = sdk;
const { ADDRESSES, CHAIN_ID, PRIVATE_KEY, RPC_URL } = process.env;
const at = JSON.parse(ADDRESSES);
const fee = 3000;
const lastTick = 887_220;

test('a swap that the SDK plans brings what the SDK says', async () => {
  const provider = new JsonRpcProvider(RPC_URL, undefined, { cacheTimeout: -1, pollingInterval: 100 });
  const wallet = new Wallet(PRIVATE_KEY, provider);
  const signer = new NonceManager(wallet);
  const weth = new Token(Number(CHAIN_ID), at.WETH9, 18, 'WETH');
  const demo = new Token(Number(CHAIN_ID), at.DemoToken, 18, 'DEMO');
  const address = v3.computePoolAddress({
    factoryAddress: at.UniswapV3Factory,
    tokenA: weth,
    tokenB: demo,
    fee,
  });
  assert.equal(address, at.DemoPool);

  const abi = [
    'function slot0() view returns (uint160,int24,uint16,uint16,uint16,uint8,bool)',
    'function liquidity() view returns (uint128)',
    'function approve(address,uint256) returns (bool)',
    'function deposit() payable',
    'function balanceOf(address) view returns (uint256)',
  ];
  const pair = new Contract(address, abi, provider);
  const [[price, tick], liquidity] = await Promise.all([pair.slot0(), pair.liquidity()]);
  const ticks = [-1, 1].map((sign) => ({
    index: sign * lastTick,
    liquidityNet: String(-BigInt(sign) * liquidity),
    liquidityGross: String(liquidity),
  }));
  const pool = new v3.Pool(weth, demo, fee, String(price), String(liquidity), Number(tick), ticks);

  const amount = parseEther('1');
  const coins = new Contract(at.WETH9, abi, signer);
  await (await coins.deposit({ value: amount })).wait();
  await (await coins.approve(at.SwapRouter, MaxUint256)).wait();
  const trade = await v3.Trade.fromRoute(
    new v3.Route([pool], weth, demo),
    CurrencyAmount.fromRawAmount(weth, String(amount)),
    TradeType.EXACT_INPUT,
  );
  const { calldata, value } = v3.SwapRouter.swapCallParameters(trade, {
    recipient: wallet.address,
    slippageTolerance: new Percent(1, 100),
    deadline: 2 ** 40,
  });
  // The pool records its price once a second, so an estimate can be too low in the next one.
  const swap = { to: at.SwapRouter, data: calldata, value, gasLimit: 300_000 };
  await (await signer.sendTransaction(swap)).wait();
  const received = await new Contract(at.DemoToken, abi, provider).balanceOf(wallet.address);
  assert.equal(String(received), String(trade.outputAmount.quotient));
  provider.destroy();
});
