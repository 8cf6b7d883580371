import { type EvmRpc, rpcErrorOf } from './rpc.ts';

/**
 * All receipts of blocks, as the node gives them; undefined when it does not know how. Nodes search a receipt by its
 * transaction: in a block of a thousand that takes a thousand times as long as all of them at once.
 */
export type BlockReceipts = (numbers: readonly number[]) => Promise<unknown[][] | undefined>;

/** Remembers that a node does not know the method. Unavailable when the node is not reached, or lacks a block. */
export function createBlockReceipts(rpc: Pick<EvmRpc, 'batch'>): BlockReceipts {
  let isKnown = true;
  return async (numbers) => {
    if (!isKnown) return undefined;
    const calls = numbers.map((number) => ({
      method: 'eth_getBlockReceipts',
      params: [`0x${number.toString(16)}`],
    }));
    const outcomes = await rpc.batch(calls);
    if (outcomes.some((outcome) => 'error' in outcome && rpcErrorOf(outcome.error))) {
      isKnown = false;
      return undefined;
    }
    return outcomes.map((outcome) => {
      if ('error' in outcome) throw outcome.error;
      return Array.isArray(outcome.result) ? outcome.result : [];
    });
  };
}
