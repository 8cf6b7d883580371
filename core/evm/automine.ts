import { type RpcCall, type RpcOutcome, rpcErrorOf } from './rpc.ts';

/** Asks anvil whether it mines each transaction at once. Other nodes do not know the method. */
export const automineCall: RpcCall = { method: 'anvil_getAutomine', params: [] };

/** Reads the outcome of `automineCall`; false for other nodes. Throws Unavailable when the node was not reached. */
export function minesEachTransaction(outcome: RpcOutcome | undefined): boolean {
  if (outcome && 'error' in outcome && !rpcErrorOf(outcome.error)) throw outcome.error;
  return outcome !== undefined && !('error' in outcome) && outcome.result === true;
}
