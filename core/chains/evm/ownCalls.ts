/**
 * Which lines of anvil's log are of Slipway's own calls: anvil writes the method of each call. These methods have no other use, because
 * anvil has no uncles.
 */

/** Of its liveness check (engines/evm-dev/alive.sh), which takes the chain's locks like every read. */
export const probeLine = 'eth_getUncleByBlockNumberAndIndex';

/** Twice before a batch of reads, and once after it. It does not fail: anvil writes four lines for a call that does. */
export const batchLine = 'eth_getUncleCountByBlockNumber';

type Batch<Outcome> = (calls: readonly { method: string; params: unknown[] }[]) => Promise<Outcome[]>;

/** A batch of reads that the log shows as Slipway's own. `batch` and the result are as in EvmRpc. */
export function asOwnCalls<Outcome>(batch: Batch<Outcome>): Batch<Outcome> {
  const mark = { method: batchLine, params: ['latest'] };
  return async (calls) => (await batch([mark, mark, ...calls, mark])).slice(2, -1);
}
