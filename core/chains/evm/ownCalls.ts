/**
 * Which lines of anvil's log are of Slipway's own calls: anvil writes the method of each call. These methods have no other use, because
 * anvil has no uncles.
 */

/** Of its liveness check (engines/evm-dev/alive.sh), which takes the chain's locks like every read. */
export const probeLine = 'eth_getUncleByBlockNumberAndIndex';

/** Before a batch of reads; after it there is a probe. Neither fails: anvil writes four lines for a call that does. */
export const batchLine = 'eth_getUncleCountByBlockNumber';

type Batch<Outcome> = (calls: readonly { method: string; params: unknown[] }[]) => Promise<Outcome[]>;

/** A batch of reads that the log shows as Slipway's own. `batch` and the result are as in EvmRpc. */
export function asOwnCalls<Outcome>(batch: Batch<Outcome>): Batch<Outcome> {
  const first = { method: batchLine, params: ['latest'] };
  const last = { method: probeLine, params: ['latest', '0x0'] };
  return async (calls) => (await batch([first, ...calls, last])).slice(1, -1);
}
