import type { RecordingResource } from '../../core/api/resources/recordingResource.ts';
import { isSameIncarnation } from '../../core/networks/incarnation.ts';
import { beginAgain, look, type Step } from './begin.ts';
import { baseOf, type CaptureState, cursorOf, end, moveTo } from './captureState.ts';
import type { ChunkKube } from './chunks/objects.ts';
import type { ChunkStore } from './chunks/store.ts';
import { endEarly, openStore } from './store.ts';

export interface FollowStep extends Step {
  kube: ChunkKube & Step['kube'];
  /** Reports blocks that were taken back. */
  onReorganised(message: string): void;
}

/** Continues from the last block that is still on the chain. Returns whether there is more to read at once. */
export async function follow(state: CaptureState, step: FollowStep): Promise<boolean> {
  const { recording } = step;
  const chunks = state.store ?? (await openStore(state, step));
  const [cursor, base] = [cursorOf(state), baseOf(state)];
  const snapshot = await look(step, [cursor.number, base.number]);
  const isCursorThere = snapshot.hashes[0] === cursor.hash;
  const isBaseThere = snapshot.hashes[1] === base.hash;
  // What was captured belongs to its chain: on another one, none of it may be taken back.
  if (!isCursorThere && !isSameChain(state, step))
    return endEarly(state, step, 'the network began a new chain');
  if (!isCursorThere || !isBaseThere) return goBack(state, step, !isBaseThere);
  if (recording.spec.stopped && state.progress.stopBlock === undefined) {
    state.progress = { ...state.progress, stopBlock: endOf(state, recording) ?? snapshot.head };
  }
  const { stopBlock } = state.progress;
  const target = Math.min(snapshot.head, stopBlock ?? snapshot.head);
  if (cursor.number < target) return readOn(state, step, { chunks, target });
  moveTo(state, cursor);
  if (stopBlock !== undefined) return end(state);
  state.isIdle = true;
  return false;
}

function isSameChain({ progress }: CaptureState, { network }: FollowStep): boolean {
  return isSameIncarnation(network, progress.enclaveID);
}

/** The last block of a recording that says where its chain was when it was stopped. */
function endOf({ progress }: CaptureState, { spec }: RecordingResource): number | undefined {
  const { network, enclaveID } = progress;
  return spec.end?.find((head) => head.network === network && head.enclaveID === enclaveID)?.block;
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

/** Blocks that were read are not on the chain any more: goes back to the last one that is. */
async function goBack(state: CaptureState, step: FollowStep, isBaseGone: boolean): Promise<boolean> {
  const former = cursorOf(state).number;
  if (isBaseGone) await beginAgain(state, step);
  const ancestor = await stepBack(state, step, isBaseGone);
  moveTo(state, ancestor ?? baseOf(state));
  const { network, lastBlock } = state.progress;
  step.onReorganised(
    `${network}: blocks ${lastBlock} to ${former} were removed by a reorganization; reading them again`,
  );
  return true;
}

async function stepBack({ store }: CaptureState, step: FollowStep, isBaseGone: boolean) {
  return store?.stepBack(async (blocks) => {
    if (isBaseGone) return blocks.map(() => false);
    const { hashes } = await look(
      step,
      blocks.map(({ number }) => number),
    );
    return blocks.map(({ hash }, index) => hash === hashes[index]);
  });
}
