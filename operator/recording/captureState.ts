import type { RecordedProgress } from '../../core/api/resources/recordingResource.ts';
import { compact } from '../../core/lib/compact.ts';
import type { BlockRef } from './blocks.ts';
import type { ChunkStore } from './chunks.ts';
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
  /** The last step read all there was. */
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

/** Nothing more will be read: the step reports that there is no more. */
export function end(state: CaptureState, message?: string): false {
  const { message: _, ...rest } = state.progress;
  state.progress = { ...rest, state: 'recorded', ...compact({ message }) };
  state.store = undefined;
  return false;
}

/** Describes what is left of a recording that ended early. */
export function describeKept({ progress: { lastBlock } }: CaptureState): string {
  return lastBlock === undefined
    ? 'nothing was captured'
    : `what was captured up to block ${lastBlock} is kept`;
}
