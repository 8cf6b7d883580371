import { Interface, ZeroAddress } from 'ethers';
import { systemContractsForTests } from '../../../hack/contracts/forTests.ts';
import { hotBalance } from '../../accounts/hotKeys.ts';
import type { EvmDriver } from './driver.ts';
import { everyType } from './testing/everyType.ts';
import { startTestChain, type TestChain } from './testing/testChain.ts';

/** Each chain type on the real engine, started as in the plan. */

const systemContracts = systemContractsForTests();

const multicallAddress = '0xcA11bde05977b3631167028862bE2a173976CA11';
const create2Proxy = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
/** Init code that deploys a contract which answers each call with 1. */
const initCode = '0x600a600c600039600a6000f3600160005260206000f3';
const tokenAbi = [
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address) view returns (uint256)',
  'function deposit() payable',
  'function withdraw(uint256)',
  'function transfer(address, uint256) returns (bool)',
  'function approve(address, uint256) returns (bool)',
  'function transferFrom(address, address, uint256) returns (bool)',
];
const multicallAbi = [
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[])',
  'function aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[])',
  'function tryBlockAndAggregate(bool requireSuccess, (address target, bytes callData)[] calls) payable returns (uint256 blockNumber, bytes32 blockHash, (bool success, bytes returnData)[] returnData)',
  'function getChainId() view returns (uint256)',
  'function getEthBalance(address) view returns (uint256)',
];

function wrappedTokenOf({ facts }: EvmDriver): string {
  const placement = facts.contracts.find(({ contract }) => contract === 'WrappedNative');
  if (!placement) throw new Error(`${facts.name} has no wrapped currency`);
  return placement.address;
}

describe.each(everyType)('%s', (type, driver) => {
  let chain: TestChain;
  beforeAll(async () => {
    chain = await startTestChain({ type, driver, systemContracts });
  });
  afterAll(() => chain.stop());

  it('has its own chain id, a current genesis time, its gas limit and base fee, and a funded hot key', async () => {
    const genesis = await chain.provider.getBlock(0);
    expect((await chain.provider.getNetwork()).chainId.toString()).toBe(chain.chainId);
    expect(chain.chainId.slice(0, 2)).toBe(String(driver.facts.chainIdPrefix));
    expect(genesis?.timestamp).toBeGreaterThan(1_700_000_000);
    expect(genesis?.gasLimit).toBe(BigInt(driver.facts.gasLimit));
    expect(genesis?.baseFeePerGas).toBe(BigInt(driver.facts.baseFeeWei));
    expect(await chain.provider.getBalance(chain.wallet.address, 0)).toBe(hotBalance);
  });

  it('mines legacy and EIP-1559 transactions and pays tips to the right recipient', async () => {
    const to = '0x00000000000000000000000000000000000000bb';
    const gasPrice = 50_000_000_000n;
    const legacy = await chain.send({ to, value: 1n, type: 0, gasPrice });
    const fees = { maxFeePerGas: gasPrice, maxPriorityFeePerGas: 1_000_000_000n };
    const modern = await chain.send({ to, value: 2n, type: 2, ...fees });
    expect([legacy.status, legacy.type, modern.status, modern.type]).toEqual([1, 0, 1, 2]);
    expect(await chain.provider.getBalance(to)).toBe(3n);
    const block = await chain.provider.getBlock(modern.blockNumber);
    expect(block?.miner).toBe(driver.facts.feeRecipient ?? ZeroAddress);
    expect(block?.gasLimit).toBe(BigInt(driver.facts.gasLimit));
  });

  it('suggests fees at which it mines a transaction, including one that it fills in itself', async () => {
    expect((await chain.send({ to: chain.wallet.address })).status).toBe(1);
    const from = '0x00000000000000000000000000000000000000ee';
    await chain.provider.send('anvil_impersonateAccount', [from]);
    await chain.provider.send('anvil_setBalance', [from, '0xde0b6b3a7640000']);
    const hash = await chain.provider.send('eth_sendTransaction', [{ from, to: from }]);
    expect((await chain.provider.waitForTransaction(hash))?.status).toBe(1);
  });

  it('answers calls from accounts without funds', async () => {
    const data = new Interface(tokenAbi).encodeFunctionData('symbol');
    const call = { from: '0x00000000000000000000000000000000000000ef', to: wrappedTokenOf(driver), data };
    expect(await chain.provider.call(call)).not.toBe('0x');
    expect(await chain.provider.estimateGas(call)).toBeGreaterThan(21_000n);
  });

  it('deploys contracts, including through the deterministic deployment proxy', async () => {
    const receipt = await chain.send({ data: initCode });
    expect(BigInt(await chain.provider.call({ to: receipt.contractAddress }))).toBe(1n);
    const salted = `0x${'00'.repeat(32)}${initCode.slice(2)}`;
    const deployed = await chain.provider.call({ to: create2Proxy, data: salted });
    await chain.send({ to: create2Proxy, data: salted });
    expect(BigInt(await chain.provider.call({ to: deployed }))).toBe(1n);
  });

  it('has code at every address that it promises', async () => {
    const promised = driver.facts.contracts.map(({ address, contract }) => [
      address,
      systemContracts[contract],
    ]);
    const found = promised.map(async ([address]) => [address, await chain.provider.getCode(address ?? '')]);
    expect(await Promise.all(found)).toEqual(promised);
  });

  it('has Multicall3, including values and failures', async () => {
    const multicall = chain.contractAt(multicallAddress, multicallAbi);
    const own = new Interface(multicallAbi);
    const callData = own.encodeFunctionData('getChainId');
    const failing = { target: wrappedTokenOf(driver), callData: `0x2e1a7d4d${'ff'.repeat(32)}` };
    const [good, bad] = await multicall.aggregate3!.staticCall([
      { target: multicallAddress, allowFailure: false, callData },
      { ...failing, allowFailure: true },
    ]);
    expect([good.success, BigInt(good.returnData).toString(), bad.success]).toEqual([
      true,
      chain.chainId,
      false,
    ]);
    await expect(multicall.aggregate3!.staticCall([{ ...failing, allowFailure: false }])).rejects.toThrow(
      'Multicall3: call failed',
    );
    const paying = { target: wrappedTokenOf(driver), allowFailure: false, value: 7n, callData: '0xd0e30db0' };
    const total = multicall.aggregate3Value!.staticCall([paying], { value: 8n });
    await expect(total).rejects.toThrow('Multicall3: value mismatch');
    await multicall.aggregate3Value!.staticCall([paying], { value: 7n });
    const tried = await multicall.tryBlockAndAggregate!.staticCall(false, [failing]);
    expect(tried.returnData[0].success).toBe(false);
  });

  it('has its currency as a token, at its own address', async () => {
    const token = chain.contractAt(wrappedTokenOf(driver), tokenAbi);
    const receiver = '0x00000000000000000000000000000000000000cc';
    const { symbol } = driver.facts.currency;
    expect(await token.symbol!()).toBe(`W${symbol}`);
    expect(await token.name!()).toMatch(/^Wrapped \w/);
    expect(await token.decimals!()).toBe(18n);
    await chain.send({ to: wrappedTokenOf(driver), value: 1000n });
    await (await token.deposit!({ value: 500n })).wait();
    await (await token.transfer!(receiver, 300n)).wait();
    await (await token.withdraw!(200n)).wait();
    expect(await token.balanceOf!(chain.wallet.address)).toBe(1000n);
    expect(await token.balanceOf!(receiver)).toBe(300n);
    expect(await token.totalSupply!()).toBe(1300n);
    await expect(token.withdraw!.staticCall(1001n)).rejects.toThrow('balance too low');
    await expect(token.transferFrom!.staticCall(receiver, receiver, 1n)).rejects.toThrow('allowance too low');
  });

  it('has the opcodes of its hardfork and none of later ones', async () => {
    const instructions: [string, string[], string][] = [
      ['PUSH0', ['cancun', 'osaka', 'jovian'], '0x5f5ff3'],
      ['TLOAD', ['cancun', 'osaka', 'jovian'], '0x60005c60006000f3'],
      ['CLZ', ['osaka'], '0x60011e60006000f3'],
    ];
    for (const [name, hardforks, data] of instructions) {
      const isThere = await chain.provider.call({ data }).then(
        () => true,
        () => false,
      );
      expect([name, isThere]).toEqual([name, hardforks.includes(driver.facts.hardfork)]);
    }
  });

  it('can be forked: contracts, balances and nonces of the source stay, the hot key is funded again', async () => {
    const deployed = await chain.send({ data: initCode });
    const nonce = await chain.provider.getTransactionCount(chain.wallet.address);
    const fork = { url: chain.url, blockHeight: 'latest' };
    const copy = await startTestChain({ type, driver, systemContracts, fork, seed: '00123456ff' });
    try {
      expect((await copy.provider.getNetwork()).chainId).not.toBe(BigInt(chain.chainId));
      expect(await copy.provider.getBlockNumber()).toBe(deployed.blockNumber);
      expect(await copy.provider.getBalance(copy.wallet.address)).toBe(hotBalance);
      expect(await copy.provider.getTransactionCount(copy.wallet.address)).toBe(nonce);
      expect(BigInt(await copy.provider.call({ to: deployed.contractAddress }))).toBe(1n);
      const token = copy.contractAt(wrappedTokenOf(driver), tokenAbi);
      expect(await token.symbol!()).toBe(`W${driver.facts.currency.symbol}`);
      expect(await token.balanceOf!(copy.wallet.address)).toBe(1000n);
      const from = '0x00000000000000000000000000000000000000ef';
      expect(BigInt(await copy.provider.call({ from, to: deployed.contractAddress }))).toBe(1n);
      const again = await copy.send({ data: initCode });
      expect(again.contractAddress).not.toBe(deployed.contractAddress);
      expect(await chain.provider.getBlockNumber()).toBe(deployed.blockNumber);
    } finally {
      await copy.stop();
    }
  });
});
