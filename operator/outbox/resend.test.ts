import type { EvmRpc, RpcCall } from '../../core/evm/rpc.ts';
import { packRaw } from '../../core/outbox/packedTransactions.ts';
import { address, signer, transfers } from '../../core/outbox/testing/senderQueues.ts';
import { createQueueMemory } from './memory.ts';
import { resend } from './resend.ts';

const nonce = 4;
const receipt = {
  transactionHash: '0x1',
  blockNumber: '0x5',
  blockHash: '0xb',
  gasUsed: '0x5208',
  status: '0x1',
};

/** A node that has mined all that it is asked about, and whose pool is empty. */
function nodeWith(sent: unknown[]): EvmRpc {
  const answers: Record<string, unknown> = {
    eth_getTransactionByHash: {},
    eth_getTransactionReceipt: receipt,
    txpool_content: { pending: {}, queued: {} },
    anvil_removePoolTransactions: null,
  };
  const answer = ({ method, params }: RpcCall) => {
    if (method === 'eth_sendRawTransaction') sent.push(...params);
    return answers[method] ?? null;
  };
  return {
    call: async (method, params) => answer({ method, params }),
    batch: async (calls) => calls.map((one) => ({ result: answer(one) })),
  };
}

test('a mined transaction that filled a gap fills it again when the nonce of its account was set back', async () => {
  const [signed] = await signer.sign(Buffer.alloc(32, 0x5e), [{ ...transfers(1)[0]!, nonce }]);
  const { hash, raw } = signed!;
  const memory = createQueueMemory();
  memory.problems.set(nonce, { kind: 'held', reason: '', sinceMs: 0 });
  const sent: unknown[] = [];
  const count = await resend({
    rpc: nodeWith(sent),
    queue: {
      head: { spec: { signer: address } } as never,
      entries: [],
      gapTransactions: new Map([[nonce, { nonce, hash, raw: packRaw(raw), reason: '' }]]),
    },
    account: { instance: '0x01', mined: nonce, pending: nonce, blockGasLimit: 30_000_000n },
    memory,
    chainId: '1200000001',
    readRaw: () => Promise.reject(new Error('no entry')),
    nowMs: 60_000,
  });
  expect([count, sent]).toEqual([1, [raw]]);
  // It is not an entry of the queue: what is open is counted by these.
  expect(memory.results.size).toBe(0);
});
