import { basisOf, lifetimeOf } from './methods.ts';
import { readAnswer } from './readAnswer.ts';

const hash = `0x${'ab'.repeat(32)}`;
const always = Number.POSITIVE_INFINITY;
const minute = 60_000;

async function resultOf(result: unknown) {
  const answer = await readAnswer(JSON.stringify({ jsonrpc: '2.0', id: 1, result }), 'https://node.example');
  if (!answer || 'error' in answer) throw new Error('it is not an answer');
  return answer;
}

it.each([
  ['a deep block by number', 'eth_getBalance', ['0x1', '0x64'], '0x0', always],
  ['a block near the head, which may be replaced', 'eth_getBalance', ['0x1', '0x3e0'], '0x0', minute],
  ['a block by hash', 'eth_getBalance', ['0x1', hash], '0x0', always],
  ['a block by an object', 'eth_getStorageAt', ['0x1', '0x0', { blockHash: hash }], '0x0', always],
  ['a number in an object', 'eth_getProof', ['0x1', [], { blockNumber: '0x64' }], {}, always],
  ['the first block', 'eth_getBlockByNumber', ['earliest', false], {}, always],
  ['the latest block', 'eth_getBlockByNumber', ['latest', false], {}, 0],
  ['no block', 'eth_getBalance', ['0x1'], '0x0', 0],
  ['a block that is not there yet', 'eth_getBlockByNumber', ['0x64', false], null, 0],
  ['a receipt in a deep block', 'eth_getTransactionReceipt', [hash], { blockNumber: '0x64' }, always],
  ['a receipt near the head', 'eth_getTransactionReceipt', [hash], { blockNumber: '0x3e8' }, minute],
  ['a transaction that waits', 'eth_getTransactionByHash', [hash], { blockNumber: null }, 0],
  ['the chain id', 'eth_chainId', [], '0x1', always],
  ['a simulation', 'eth_call', [{}, '0x64'], '0x', 0],
])('keeps the answer on %s for its time', async (_case, method, params, result, lifetimeMs) => {
  const basis = basisOf('Ethereum', method);
  if (basis === undefined) throw new Error(`${method} is not known`);
  expect(lifetimeOf({ basis, params, ...(await resultOf(result)), head: 1_000 })).toBe(lifetimeMs);
});

it.each([
  ['the genesis hash', 'getGenesisHash', always],
  ['the epoch schedule', 'getEpochSchedule', always],
  ['the epoch', 'getEpochInfo', 0],
  ['an account', 'getAccountInfo', 0],
  ['a transaction, which may not be final', 'getTransaction', 0],
])('keeps what Solana says of %s for its time', (_case, method, lifetimeMs) => {
  const basis = basisOf('Solana', method);
  if (basis === undefined) throw new Error(`${method} is not known`);
  expect(lifetimeOf({ basis, params: [], result: '{}', head: 0 })).toBe(lifetimeMs);
});
