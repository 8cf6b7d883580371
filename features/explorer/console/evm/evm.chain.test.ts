import { ContractFactory, JsonRpcProvider, Wallet } from 'ethers';
import { type PlainAnvil, startPlainAnvil } from '../../../../core/evm/testing/plainAnvil.ts';
import { tokenContractsForTests } from '../../../../hack/contracts/forTests.ts';
import type { Reader } from '../reader.ts';
import { nodeReader } from '../testing/nodeReader.ts';
import { type Abi, decodeInput, decodeLog, decodeOutput, interfaceOf, oneLine, revertReason } from './abi.ts';
import { callablesOf } from './contract/callForm.ts';
import { feeOf, revertDataIn } from './model.ts';
import { readTransaction } from './readTransaction.ts';
import { positionsOf, readBalances, readTokens, tokensOf } from './tokens/balances.ts';
import { standardOf } from './tokens/standard.ts';
import { transfersOf } from './tokens/transfers.ts';

/** A token of ours on a real anvil. */

const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const friend = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
let anvil: PlainAnvil;
let provider: JsonRpcProvider;
let sender: Wallet;
let token: string;
let abi: Abi;
let reader: Reader;
const hashes = { created: '', transferred: '', failed: '' };

beforeAll(async () => {
  anvil = await startPlainAnvil([]);
  provider = new JsonRpcProvider(anvil.url, undefined, { cacheTimeout: -1 });
  sender = new Wallet(key, provider);
  const contract = tokenContractsForTests().erc20('CappedToken');
  abi = JSON.parse(contract.abi.formatJson());
  const given: Record<string, unknown> = {
    string: 'Gold',
    address: sender.address,
    uint8: 6,
    uint256: 1_000_000n,
  };
  const args = contract.abi.deploy.inputs.map(({ type }) => given[type]);
  const deployed = await new ContractFactory(contract.abi, contract.bytecode, sender).deploy(...args);
  token = await deployed.getAddress();
  const send = async (amount: bigint) => {
    const data = contract.abi.encodeFunctionData('transfer', [friend, amount]);
    const { hash } = await sender.sendTransaction({ to: token, data, gasLimit: 100_000 });
    await provider.waitForTransaction(hash);
    return hash;
  };
  hashes.created = deployed.deploymentTransaction()?.hash ?? '';
  hashes.transferred = await send(7n);
  hashes.failed = await send(2_000_000n).catch((error) => error.receipt?.hash ?? error.transactionHash);
  const named = { address: token.toLowerCase(), name: 'CappedToken', origin: 'token', abi: [...abi] };
  reader = nodeReader(anvil.url, [named]);
});
afterAll(async () => {
  provider?.destroy();
  await anvil?.close();
});

it('shows a call of our token by the names of its ABI', async () => {
  const whole = await readTransaction(reader, hashes.transferred);
  expect(whole?.receipt?.isSuccess).toBe(true);
  const decoded = decodeInput(whole?.transaction.input ?? '', abi);
  expect([decoded?.signature, decoded?.values.map(oneLine), decoded?.isGuess]).toEqual([
    'transfer(address,uint256)',
    [friend, '7'],
    false,
  ]);
  const [log] = whole?.receipt?.logs ?? [];
  const event = log && decodeLog(log, abi);
  expect([event?.name, event?.values.map(oneLine)]).toEqual(['Transfer', [sender.address, friend, '7']]);
});

it('knows the fee of a transaction to the last digit', async () => {
  const before = await provider.getBalance(sender.address, 1);
  const after = await provider.getBalance(sender.address, 2);
  const whole = await readTransaction(reader, hashes.transferred);
  if (!whole?.receipt) throw new Error('it is mined');
  expect(feeOf(whole.receipt, whole.transaction)).toBe(before - after);
});

it('names the contract that a transaction creates', async () => {
  const whole = await readTransaction(reader, hashes.created);
  expect(whole?.transaction.to).toBeUndefined();
  expect(whole?.receipt?.contractAddress?.toLowerCase()).toBe(token.toLowerCase());
  expect(whole?.calls?.[0]).toMatchObject({ type: 'CREATE', path: '0', depth: 0 });
});

it('says why a transaction failed, by the error of its contract, and where', async () => {
  const whole = await readTransaction(reader, hashes.failed);
  expect(whole?.receipt?.isSuccess).toBe(false);
  expect(whole?.reason).toBe(`ERC20InsufficientBalance(${sender.address}, 999993, 2000000)`);
  expect(whole?.calls?.map(({ path, error }) => [path, error])).toEqual([
    ['0', expect.stringContaining('revert')],
  ]);
});

it('has no transaction of a hash that the chain does not have', async () => {
  expect(await readTransaction(reader, `0x${'0'.repeat(64)}`)).toBeNull();
});

it('calls a function that reads, and shows what it returns', async () => {
  const callable = callablesOf(abi).find(({ signature }) => signature === 'balanceOf(address)');
  if (!callable) throw new Error('it has the function');
  const input = interfaceOf(abi).encodeFunctionData(callable.fragment, [friend]);
  const data = String(await reader.one('eth_call', { to: token, data: input }, 'latest'));
  expect(decodeOutput(callable.fragment, data).map(oneLine)).toEqual(['7']);
});

it('decodes why a read fails', async () => {
  const data = interfaceOf(abi).encodeFunctionData('transfer', [friend, 1n]);
  const [answer] = await reader.ask([
    ['eth_call', { from: friend.replace('7', '8'), to: token, data }, 'latest'],
  ]);
  expect(revertReason(revertDataIn(answer?.error), abi)).toMatch(/^ERC20InsufficientBalance\(/);
});

it('offers the functions that the code has', async () => {
  const code = String(await reader.one('eth_getCode', token, 'latest'));
  const foreign = {
    type: 'function',
    name: 'lockOrBurn',
    inputs: [],
    outputs: [],
    stateMutability: 'nonpayable',
  };
  const names = callablesOf([...abi, foreign], code).map(({ signature }) => signature);
  expect(names).toContain('transfer(address,uint256)');
  expect(names).not.toContain('lockOrBurn()');
});

describe('the transfers of tokens', () => {
  /** In the transactions that succeeded, the newest first. */
  const transfers = async () => {
    const whole = await Promise.all(
      [hashes.transferred, hashes.created].map((hash) => readTransaction(reader, hash)),
    );
    return whole.flatMap((one) => one?.receipt?.logs ?? []).flatMap(transfersOf);
  };

  it('are those that its logs say', async () => {
    const [moved, minted] = await transfers();
    expect(moved).toMatchObject({ hash: hashes.transferred, amount: 7n, to: friend.toLowerCase() });
    expect(minted).toMatchObject({ hash: hashes.created, to: sender.address.toLowerCase() });
  });

  it('lead to the balances of an account and to the holders of a token, the most first', async () => {
    const found = await transfers();
    const tokens = tokensOf(found);
    expect((await readTokens(reader, tokens)).get(tokens[0] ?? '')).toEqual({ symbol: 'Gold', decimals: 6 });
    const held = await readBalances(reader, positionsOf({ token }, found));
    expect(held.map(({ account, amount }) => [account, amount])).toEqual([
      [sender.address.toLowerCase(), 999_993n],
      [friend.toLowerCase(), 7n],
    ]);
  });

  it('are those of a token for a contract that answers like one, and for no other address', async () => {
    expect(await standardOf(reader, token)).toBe('ERC-20');
    expect(await standardOf(reader, friend)).toBeNull();
  });
});

it('a proxy has the names of its implementation, and its calls are decoded by them', async () => {
  const slot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
  const [stored, minimal] = [`0x${'ab'.repeat(20)}`, `0x${'cd'.repeat(20)}`];
  await provider.send('anvil_setCode', [stored, '0x60806040']);
  await provider.send('anvil_setStorageAt', [stored, slot, `0x${token.slice(2).padStart(64, '0')}`]);
  const code = `0x363d3d373d3d3d363d73${token.slice(2)}5af43d82803e903d91602b57fd5bf3`;
  await provider.send('anvil_setCode', [minimal, code]);
  const names = await reader.name([stored, minimal, friend]);
  expect([...names].map(([address, { name }]) => [address, name])).toEqual([
    [stored, 'CappedToken (proxy)'],
    [minimal, 'CappedToken (proxy)'],
  ]);
  const input = interfaceOf(abi).encodeFunctionData('transfer', [friend, 1n]);
  expect(decodeInput(input, names.get(minimal)?.abi)).toMatchObject({ name: 'transfer', isGuess: false });
  expect(names.get(stored)?.abi.some(({ type }) => type === 'constructor')).toBe(false);
});
