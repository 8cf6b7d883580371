import { beginAgain, type Step } from './begin.ts';
import { baseOf, type CaptureState, cursorOf, describeKept, end, moveTo } from './captureState.ts';
import type { ChainSnapshot, WalletReader } from './chain.ts';
import type { ChunkKube } from './chunkObjects.ts';
import { type ChunkStore, openChunkStore } from './chunks.ts';
import { askedBlocks, remember, standingOf } from './sameChain.ts';

/**
 * A chain that lost blocks may have been reorganised, or be a new one whose network has not been told of it yet. If the
 * engine does not tell, what was captured is dropped only after this time.
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
  const snapshot = await reader.look(askedBlocks(cursorOf(state).number, baseOf(state).number));
  const standing = standingOf(state, snapshot);
  // What was captured on a chain of which nothing is left belongs to that chain.
  const isGone = standing === 'restored' && (await isFirstGone(chunks, reader));
  if (standing === 'new' || isGone) return endWithChain(state);
  const isSure = standing === 'same' || standing === 'rolledBack';
  if (!isSure && isYoung(state, step)) return false;
  state.doubtSinceMs = undefined;
  if (standing !== 'same' && standing !== 'restarted') return goBack(state, step, snapshot);
  remember(state, snapshot);
  if (recording.spec.stopped && state.progress.stopBlock === undefined) {
    state.progress = { ...state.progress, stopBlock: snapshot.head };
  }
  const { stopBlock } = state.progress;
  const target = Math.min(snapshot.head, stopBlock ?? snapshot.head);
  if (cursorOf(state).number < target) return readOn(state, step, { chunks, target });
  moveTo(state, cursorOf(state));
  if (stopBlock !== undefined) return end(state);
  state.isIdle = true;
  return false;
}

async function openStore(state: CaptureState, { kube, recording }: FollowStep): Promise<ChunkStore> {
  const { network, networkID = '', chunks = 0 } = state.progress;
  const store = await openChunkStore(kube, { recording, network, networkID }, chunks);
  const last = store.last();
  state.store = store;
  moveTo(state, last && last.number > cursorOf(state).number ? last : cursorOf(state));
  return store;
}

function endWithChain(state: CaptureState): false {
  return end(state, `the network began a new chain; ${describeKept(state)}`);
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
  state.isIdle = upTo.number >= target;
  return upTo.number < target || state.progress.stopBlock !== undefined;
}

/** Whether the doubt is too young to drop anything. */
function isYoung(state: CaptureState, { clock }: Step): boolean {
  const nowMs = clock.nowMs();
  state.doubtSinceMs ??= nowMs;
  return nowMs - state.doubtSinceMs < graceMs;
}

/** Blocks that were read are not on the chain any more: goes back to the last one that is. */
async function goBack(state: CaptureState, step: FollowStep, snapshot: ChainSnapshot): Promise<boolean> {
  const former = cursorOf(state).number;
  const isBaseGone = snapshot.hashes[1] !== state.progress.baseHash;
  if (isBaseGone) await beginAgain(state, step);
  const ancestor = await stepBack(state, step.reader, isBaseGone);
  moveTo(state, ancestor ?? baseOf(state));
  remember(state, snapshot);
  const { network, lastBlock } = state.progress;
  step.onReorganised(`${network}: blocks ${lastBlock} to ${former} were taken back; reading them again`);
  return true;
}

/** Whether the first captured block is not on the chain any more; false while nothing was captured. */
async function isFirstGone(chunks: ChunkStore, reader: WalletReader): Promise<boolean> {
  const first = await chunks.first();
  return first !== undefined && (await reader.look([first.number])).hashes[0] !== first.hash;
}

async function stepBack({ store }: CaptureState, reader: WalletReader, isBaseGone: boolean) {
  return store?.stepBack(async (blocks) => {
    if (isBaseGone) return blocks.map(() => false);
    const { hashes } = await reader.look(blocks.map(({ number }) => number));
    return blocks.map(({ hash }, index) => hash === hashes[index]);
  });
}
