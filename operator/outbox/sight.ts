import type { EvmRpc } from '../../core/evm/rpc.ts';
import type { OpenLane } from './lane.ts';
import type { Look } from './look.ts';
import type { LaneMemory } from './memory.ts';

/** A lane whose chain is there, as one look finds it. */
export interface Sight {
  rpc: EvmRpc;
  lane: OpenLane;
  look: Look;
  memory: LaneMemory;
  nowMs: number;
}
