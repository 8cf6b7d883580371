/**
 * What anvil writes to its log for each call of its liveness check (engines/evm-dev/alive.sh): the name of the method. The
 * method takes the chain's locks like every read, and users have no reason to call it, because anvil has no uncles.
 */
export const probeLine = 'eth_getUncleByBlockNumberAndIndex';

type Batch<Outcome> = (calls: readonly { method: string; params: unknown[] }[]) => Promise<Outcome[]>;

const unknownHash = `0x${'0'.repeat(64)}`;

/**
 * A batch of reads between two calls that nobody else makes, because anvil has no uncles: they show in its log which lines are of these
 * reads. `batch` and the result are as in EvmRpc.
 */
export function asOwnCalls<Outcome>(batch: Batch<Outcome>): Batch<Outcome> {
  const first = { method: firstOwnLine, params: [unknownHash, '0x0'] };
  const last = { method: lastOwnLine, params: [unknownHash] };
  return async (calls) => (await batch([first, ...calls, last])).slice(1, -1);
}

export const firstOwnLine = 'eth_getUncleByBlockHashAndIndex';
export const lastOwnLine = 'eth_getUncleCountByBlockHash';
