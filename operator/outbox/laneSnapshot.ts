import type { EvmRpc } from '../../core/evm/rpc.ts';
import type { LaneMemory } from './memory.ts';
import type { OpenLane } from './openEntries.ts';
import type { Look } from './readAccountState.ts';

/** A lane whose chain is there, as one look finds it. */
export interface Sight {
  rpc: EvmRpc;
  lane: OpenLane;
  look: Look;
  memory: LaneMemory;
  nowMs: number;
}
