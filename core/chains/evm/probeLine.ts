/**
 * What anvil writes to its log for each call of its liveness check (engines/evm-dev/alive.sh): the name of the method. It
 * needs the locks of the chain as every read does, and users have no reason to call it, because anvil has no uncles.
 */
export const probeLine = 'eth_getUncleByBlockNumberAndIndex';
