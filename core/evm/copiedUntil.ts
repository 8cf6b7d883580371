import { z } from 'zod';
import type { RpcCall, RpcOutcome } from './rpc.ts';

/**
 * Asks anvil for the last block that a fork has copied. `anvil_nodeInfo` would tell it too, but must not be called while a
 * block may be mined: anvil 1.7 takes two of its locks there in the opposite order, and then stands still for good
 * (`anvil_node_info` in crates/anvil/src/eth/api.rs, `do_mine_block` in backend/mem/mod.rs).
 */
export const copiedUntilCall: RpcCall = { method: 'anvil_metadata', params: [] };

const metadataSchema = z.object({
  forkedNetwork: z.object({ forkBlockNumber: z.number().int().nonnegative() }),
});

/** What the outcome of `copiedUntilCall` says; 0 for chains that are not forks, and for other nodes. */
export function copiedUntilIn(outcome: RpcOutcome | undefined): number {
  const parsed = metadataSchema.safeParse(outcome && 'result' in outcome ? outcome.result : undefined);
  return parsed.data?.forkedNetwork.forkBlockNumber ?? 0;
}
