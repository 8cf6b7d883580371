/**
 * What anvil writes to its log for each call of its liveness check (engines/evm-dev/alive.sh): the name of the method. The
 * method takes the chain's locks like every read, and users have no reason to call it, because anvil has no uncles.
 */
export const probeLine = 'eth_getUncleByBlockNumberAndIndex';
