import type { RecordingResource } from '../../core/api/resources/recordingResource.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { type CaptureState, cursorOf, describeKept, end, moveTo } from './captureState.ts';
import type { ChunkKube } from './chunks/objects.ts';
import { type ChunkStore, openChunkStore } from './chunks/store.ts';

interface StoreDeps {
  kube: ChunkKube;
  recording: Stored<RecordingResource>;
}

/** Opens the chunks. What is stored counts: after a crash, it may be more than the status says. */
export async function openStore(state: CaptureState, { kube, recording }: StoreDeps): Promise<ChunkStore> {
  const { network, networkID = '', chunks = 0 } = state.progress;
  const store = await openChunkStore(kube, { recording, network, networkID }, chunks);
  const last = store.last();
  state.store = store;
  moveTo(state, last && last.number > cursorOf(state).number ? last : cursorOf(state));
  return store;
}

/** Ends the recording of a network for a reason, which is reported with what is left of it. */
export async function endEarly(state: CaptureState, deps: StoreDeps, reason: string): Promise<false> {
  if (state.progress.firstBlock !== undefined && !state.store) await openStore(state, deps);
  return end(state, `${reason}; ${describeKept(state)}`);
}
