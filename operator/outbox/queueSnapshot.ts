import type { EvmRpc } from '../../core/evm/rpc.ts';
import type { ReadRaw } from './bytes.ts';
import type { QueueMemory } from './memory.ts';
import type { OpenQueue } from './openEntries.ts';
import type { AccountState } from './readAccountState.ts';

/** A sender queue whose chain is available, as one reconcile finds it. */
export interface QueueSnapshot {
  rpc: EvmRpc;
  queue: OpenQueue;
  account: AccountState;
  memory: QueueMemory;
  /** status.chainID of the network. */
  chainId: string;
  readRaw: ReadRaw;
  nowMs: number;
}
