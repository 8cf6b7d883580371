import { beginAgain, type Step } from './begin.ts';
import { baseOf, type CaptureState, cursorOf, describeKept, end, moveTo } from './captureState.ts';
import type { ChainSnapshot, WalletReader } from './chain.ts';
import type { ChunkKube } from './chunkObjects.ts';
import { type ChunkStore, openChunkStore } from './chunks.ts';

/**
 * A chain that lost blocks may have been reorganised, or be a new one whose network has not been told of it yet: what
 * was captured is dropped only after this time.
 */
const graceMs = 5_000;

export interface FollowStep extends Step {
  kube: ChunkKube;
  /** Reports blocks that were taken back. */
  onReorganised(message: string): void;
}

/** Reads on, when the chain is the one that was read so far. The answer is whether there is more to read at once. */
export async function follow(state: CaptureState, step: FollowStep): Promise<boolean> {
  const { reader, recording } = step;
  const chunks = state.store ?? (await openStore(state, step));
  const snapshot = await reader.look([cursorOf(state).number, baseOf(state).number, 0]);
  const { genesisHash } = state.progress;
  if (snapshot.hashes[2] !== genesisHash) {
    return end(state, `the network began a new chain; ${describeKept(state)}`);
  }
  if (!isSameLine(state, snapshot)) return doubt(state, step, snapshot);
  state.doubtSinceMs = undefined;
  if (recording.spec.stopped && state.progress.stopBlock === undefined) {
    state.progress = { ...state.progress, stopBlock: snapshot.head };
  }
  const { stopBlock } = state.progress;
  const target = Math.min(snapshot.head, stopBlock ?? snapshot.head);
  if (cursorOf(state).number < target) return readOn(state, step, { chunks, target });
  moveTo(state, cursorOf(state));
  return stopBlock === undefined ? false : end(state);
}

async function openStore(state: CaptureState, { kube, recording }: FollowStep): Promise<ChunkStore> {
  const { network, networkID = '', chunks = 0 } = state.progress;
  const store = await openChunkStore(kube, { recording, network, networkID }, chunks);
  const last = store.last();
  state.store = store;
  moveTo(state, last && last.number > cursorOf(state).number ? last : cursorOf(state));
  return store;
}

function isSameLine({ progress }: CaptureState, { hashes: [cursorHash, baseHash] }: ChainSnapshot): boolean {
  return cursorHash === progress.lastHash && baseHash === progress.baseHash;
}

interface Reading {
  chunks: ChunkStore;
  target: number;
}

async function readOn(
  state: CaptureState,
  { clock, reader }: Step,
  { chunks, target }: Reading,
): Promise<boolean> {
  const cursor = cursorOf(state);
  const startMs = clock.nowMs();
  const count = Math.min(state.window.size(), target - cursor.number);
  const { upTo, lines, bytes } = await reader.read(cursor, count);
  state.window.learn(bytes, clock.nowMs() - startMs);
  if (!upTo) return false;
  if (lines.length > 0) await chunks.append(lines, upTo);
  moveTo(state, upTo);
  return upTo.number < target || state.progress.stopBlock !== undefined;
}

/** Blocks that were read are not on the chain any more: goes back to the last one that is. */
async function doubt(state: CaptureState, step: FollowStep, snapshot: ChainSnapshot): Promise<boolean> {
  const nowMs = step.clock.nowMs();
  state.doubtSinceMs ??= nowMs;
  if (nowMs - state.doubtSinceMs < graceMs) return false;
  state.doubtSinceMs = undefined;
  const former = cursorOf(state).number;
  const isBaseGone = snapshot.hashes[1] !== state.progress.baseHash;
  if (isBaseGone) await beginAgain(state, step);
  const ancestor = await stepBack(state, step.reader, isBaseGone);
  moveTo(state, ancestor ?? baseOf(state));
  const { network, lastBlock } = state.progress;
  step.onReorganised(`${network}: blocks ${lastBlock} to ${former} were taken back; reading them again`);
  return true;
}

async function stepBack({ store }: CaptureState, reader: WalletReader, isBaseGone: boolean) {
  return store?.stepBack(async (blocks) => {
    if (isBaseGone) return blocks.map(() => false);
    const { hashes } = await reader.look(blocks.map(({ number }) => number));
    return blocks.map(({ hash }, index) => hash === hashes[index]);
  });
}
