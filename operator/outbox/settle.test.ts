import type { EvmRpc, RpcOutcome } from '../../core/evm/rpc.ts';
import { AppError } from '../../core/lib/errors.ts';
import type { Result } from '../../core/outbox/results.ts';
import { createQueueMemory } from './memory.ts';
import type { OpenEntry } from './openEntries.ts';
import type { QueueSnapshot } from './queueSnapshot.ts';
import { settle } from './settle.ts';

const batch = { id: 'b', first: 0, count: 2, acceptedAt: '2030-01-01T00:00:00Z' };
const entryAt = (nonce: number): OpenEntry => ({
  key: `b/${nonce}`,
  nonce,
  hash: `0x${nonce}`,
  acceptedMs: 0,
  batch,
  mark: { instance: '0x01' },
});
const failed: Result = { state: 'failed', block: 5, gasUsed: 21_000, reason: 'no' };

/** Its first transaction was mined and failed, and somebody has set the nonce of its account back. */
function setBack(answer: (method: string) => RpcOutcome): QueueSnapshot {
  const rpc: EvmRpc = {
    call: (method) => Promise.reject(new Error(`asked for ${method}`)),
    batch: async (calls) => calls.map(({ method }) => answer(method)),
  };
  const memory = createQueueMemory();
  memory.results.set('b/0', failed);
  return {
    rpc,
    memory,
    queue: { head: {} as never, entries: [entryAt(0), entryAt(1)], gapTransactions: new Map() },
    account: { instance: '0x01', mined: 0, pending: 0, blockGasLimit: 30_000_000n },
    chainId: '1',
    readRaw: () => Promise.reject(new Error('not read')),
    nowMs: 0,
  };
}

const receipt = {
  transactionHash: '0x0',
  blockNumber: '0x5',
  blockHash: '0xb',
  gasUsed: '0x5208',
  status: '0x0',
};

test('what was mined stays so while its node does not say more: it must not be sent again', async () => {
  const away = new AppError('Unavailable', 'the node is away');
  const snapshot = setBack((method) =>
    method === 'eth_getTransactionReceipt' ? { error: away } : { result: {} },
  );
  await expect(settle(snapshot)).rejects.toBe(away);
  expect(snapshot.memory.results.get('b/0')).toBe(failed);
});

test('the reason of what is still in its block is not asked for again', async () => {
  const snapshot = setBack((method) => ({
    result: method === 'eth_getTransactionReceipt' ? receipt : {},
  }));
  await settle(snapshot);
  expect(snapshot.memory.results.get('b/0')).toBe(failed);
});

test('what is in the pool again is open', async () => {
  const snapshot = setBack((method) => ({ result: method === 'eth_getTransactionReceipt' ? null : {} }));
  await settle(snapshot);
  expect(snapshot.memory.results.size).toBe(0);
});
