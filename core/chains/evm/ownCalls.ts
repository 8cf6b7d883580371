/**
 * Which lines of anvil's log are of Slipway's own calls: anvil writes the method of each call. These methods have no other use, because
 * anvil has no uncles.
 */

/** Of its liveness check (engines/evm-dev/alive.sh), which takes the chain's locks like every read. */
export const probeLine = 'eth_getUncleByBlockNumberAndIndex';

/** Before and after a batch of reads. */
export const firstOwnLine = 'eth_getUncleByBlockHashAndIndex';
export const lastOwnLine = 'eth_getUncleCountByBlockHash';

type Batch<Outcome> = (calls: readonly { method: string; params: unknown[] }[]) => Promise<Outcome[]>;

const unknownHash = `0x${'0'.repeat(64)}`;

/** A batch of reads that the log shows as Slipway's own. `batch` and the result are as in EvmRpc. */
export function asOwnCalls<Outcome>(batch: Batch<Outcome>): Batch<Outcome> {
  const first = { method: firstOwnLine, params: [unknownHash, '0x0'] };
  const last = { method: lastOwnLine, params: [unknownHash] };
  return async (calls) => (await batch([first, ...calls, last])).slice(1, -1);
}
