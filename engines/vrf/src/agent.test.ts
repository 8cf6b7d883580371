import { toBeHex, ZeroHash } from 'ethers';
import type { EvmRpc } from '../../../core/evm/rpc.ts';
import { silentLog } from '../../../core/lib/log.ts';
import { createManualClock } from '../../../core/lib/manualClock.ts';
import { createAgent } from './agent.ts';
import { requestAbi } from './requests.ts';
import type { Responder, Transaction } from './responder.ts';

const coordinator = '0x00000000000000000000000000000000000000c0';
const consumer = '0x00000000000000000000000000000000000000dd';

/** A chain of one block in which these requests were made. */
function chainWith(ids: readonly number[]): EvmRpc {
  const event = requestAbi.getEvent('RandomWordsRequested');
  const logs = ids.map((id) => ({
    ...requestAbi.encodeEventLog(event ?? '', [ZeroHash, id, 1, 1, 1, 100_000, 1, '0x', consumer]),
    address: coordinator,
    blockNumber: '0x1',
    blockHash: ZeroHash,
  }));
  return {
    call: async () => logs,
    batch: async (calls) =>
      calls.map(({ method }) => ({
        result: method === 'anvil_metadata' ? {} : { number: '0x1', hash: ZeroHash },
      })),
  };
}

it('requests whose answer is not known yet hold up no later one, however many they are', async () => {
  const ids = Array.from({ length: 40 }, (_, index) => index + 1);
  const responder: Responder = {
    keyHash: async () => ZeroHash,
    isOpen: async () => true,
    missingBlocks: () => 0,
    answer: async ({ requestId }) =>
      requestId === 40n ? { to: coordinator, data: toBeHex(requestId) } : undefined,
  };
  const sent: Transaction[] = [];
  const sender = {
    address: consumer,
    isBusy: async () => false,
    send: async (transaction: Transaction) => void sent.push(transaction),
  };
  const clock = createManualClock();
  const agent = createAgent({ rpc: chainWith(ids), responder, sender, clock, log: silentLog });
  for (let tick = 0; tick < 3; tick += 1) await agent.tick();
  expect(sent).toEqual([{ to: coordinator, data: '0x28' }]);
});
