import { Contract, ContractFactory, parseEther } from 'ethers';
import { evmDrivers } from '../chains/evm/drivers.ts';
import { startTestChain, type TestChain } from '../chains/evm/testing/testChain.ts';
import { createEvmRpc } from '../evm/rpc.ts';
import { artifact } from '../evm/testing/contracts.ts';
import { advanceTime, mineBlocks } from './clock.ts';
import { type CallNode, sendAs, setBalance } from './node.ts';

let chain: TestChain;
let call: CallNode;
let token: Contract;
beforeAll(async () => {
  chain = await startTestChain({ type: 'Ethereum', driver: evmDrivers.Ethereum });
  const rpc = createEvmRpc({ url: chain.url });
  call = (method, params) => rpc.call(method, params);
  const { abi, bytecode } = artifact('Token');
  const signer = chain.wallet.connect(chain.provider);
  const deployed = await new ContractFactory(abi, bytecode, signer).deploy('T', 'T', 1000n, signer.address);
  await deployed.waitForDeployment();
  token = new Contract(await deployed.getAddress(), abi, chain.provider);
});
afterAll(() => chain.stop());

const whale = `0x${'77'.repeat(20)}`;
const other = `0x${'88'.repeat(20)}`;

it('an account has the balance that was set, of coins and of an ERC-20 token', async () => {
  await setBalance(call, { address: whale, amount: `${parseEther('2')}` });
  await setBalance(call, { address: whale, amount: '70', token: String(token.target) });
  expect(await chain.provider.getBalance(whale)).toBe(parseEther('2'));
  expect(await token.getFunction('balanceOf')(whale)).toBe(70n);
});

it('a transaction is sent as another account, and nobody can do so afterwards', async () => {
  const data = token.interface.encodeFunctionData('transfer', [other, 30n]);
  const hash = await sendAs(call, { from: whale, to: String(token.target), data, value: '0' });
  expect(await chain.provider.waitForTransaction(hash)).toMatchObject({ from: whale, status: 1 });
  expect(await token.getFunction('balanceOf')(other)).toBe(30n);
  await expect(call('eth_sendTransaction', [{ from: whale, to: other, value: '0x0' }])).rejects.toThrow(
    'No Signer',
  );
});

it('the end of the impersonation is not lost when the node refuses the transaction', async () => {
  const sent = sendAs(call, { from: whale, to: other, value: `${parseEther('5')}` });
  await expect(sent).rejects.toThrow(/insufficient funds/i);
  await expect(call('eth_sendTransaction', [{ from: whale, to: other, value: '0x0' }])).rejects.toThrow(
    'No Signer',
  );
});

it('blocks are mined, and the clock goes on from a later time', async () => {
  const before = await mineBlocks(call, 3);
  expect((await mineBlocks(call, 64)).number).toBe(before.number + 64);
  const later = await advanceTime(call, { seconds: 86_400 });
  expect(later.number).toBe(before.number + 65);
  expect(later.timestamp).toBeGreaterThanOrEqual(before.timestamp + 86_400);
  const time = later.timestamp + 1_000_000;
  expect(await advanceTime(call, { time })).toEqual({ number: later.number + 1, timestamp: time });
  expect((await mineBlocks(call, 1)).timestamp).toBeGreaterThanOrEqual(time);
  await expect(advanceTime(call, { time: before.timestamp })).rejects.toThrow(/timestamp/i);
});
