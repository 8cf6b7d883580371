import type { RecordedHead, RecordedProgress } from '../../core/api/resources/recordingResource.ts';
import { compact } from '../../core/lib/compact.ts';
import type { BlockRef } from './blocks.ts';
import type { ChunkStore } from './chunks/store.ts';
import { createWindow, type Window } from './window.ts';

/** What the recording of one network remembers between its steps. */
export interface CaptureState {
  progress: RecordedProgress;
  /** Undefined until chunks are needed, and after a failed step. */
  store: ChunkStore | undefined;
  window: Window;
  /** The last blocks before the recording, newest first; empty in a process that did not start it. */
  blocksBefore: readonly BlockRef[];
  stoppingSinceMs: number | undefined;
  /** The last step read everything that there was. */
  isIdle: boolean;
}

export function newCaptureState(progress: RecordedProgress): CaptureState {
  return {
    progress,
    store: undefined,
    window: createWindow(),
    blocksBefore: [],
    stoppingSinceMs: undefined,
    isIdle: false,
  };
}

/** The progress of a recording that begins after a block. */
export function begunAt({
  network,
  networkID,
  enclaveID,
  chainID,
  block,
  hash,
}: RecordedHead): RecordedProgress {
  return {
    network,
    networkID,
    enclaveID,
    chainID,
    state: 'recording',
    firstBlock: block + 1,
    baseHash: hash,
    lastBlock: block,
    lastHash: hash,
    transactions: 0,
    chunks: 0,
  };
}

/** The last block that was read. */
export const cursorOf = ({ progress }: CaptureState): BlockRef => ({
  number: progress.lastBlock ?? 0,
  hash: progress.lastHash ?? '',
});

/** The block before the recording. */
export const baseOf = ({ progress }: CaptureState): BlockRef => ({
  number: (progress.firstBlock ?? 1) - 1,
  hash: progress.baseHash ?? '',
});

export function moveTo(state: CaptureState, { number, hash }: BlockRef): void {
  const { message: _, ...rest } = state.progress;
  const { store } = state;
  const counts = store ? { transactions: store.total(), chunks: store.count() } : {};
  state.progress = { ...rest, lastBlock: number, lastHash: hash, ...counts };
}

/** Nothing more will be read. Returns what the step answers then: that there is no more. */
export function end(state: CaptureState, message?: string): false {
  const { message: _, ...rest } = state.progress;
  state.progress = { ...rest, state: 'recorded', ...compact({ message }) };
  state.store = undefined;
  return false;
}

/** Describes what is left of a recording that ended early. */
export function describeKept({ progress: { lastBlock, transactions = 0 } }: CaptureState): string {
  if (lastBlock === undefined || transactions === 0) return 'no transaction was captured';
  return `the transactions up to block ${lastBlock} are kept, and none after it`;
}
