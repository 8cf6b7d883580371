import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { RecordedProgress, RecordingResource } from '../../core/api/resources/recordingResource.ts';
import type { Kube, Stored } from '../../core/kube/kube.ts';
import { withAnswers } from '../../core/kube/withAnswers.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import { AppError, isAppError } from '../../core/lib/errors.ts';
import { cut } from '../../core/lib/text/foreignText.ts';
import { incarnationOf } from '../../core/networks/incarnation.ts';
import { isStorageRefusal } from '../../core/storage/ledger.ts';
import { begin, rememberBefore } from './begin.ts';
import { type CaptureState, newCaptureState } from './captureState.ts';
import type { WalletReader } from './chain.ts';
import type { ChunkKube } from './chunks/objects.ts';
import { follow } from './follow.ts';
import { networkVerdict } from './networkVerdict.ts';
import { endEarly } from './store.ts';

export interface CaptureDeps {
  kube: ChunkKube & Pick<Kube, 'serverTimeMs'>;
  /** Undefined while no engine of the network answers. */
  readerOf(network: Stored<NetworkResource>, wallet: string): WalletReader | undefined;
  clock: Clock;
  /** Reports blocks that a reorg removed. */
  onReorganised(recording: Stored<RecordingResource>, message: string): void;
}

/** The recording of one network. */
export interface Capture {
  progress(): RecordedProgress;
  /** Whether only a new block, or a change of the network, gives the next step something to do. */
  isIdle(): boolean;
  /** One bounded step; true when there is more to read immediately. Throws Unavailable when the node cannot be used. */
  step(recording: Stored<RecordingResource>, network: Stored<NetworkResource> | undefined): Promise<boolean>;
}

/** How long a stopped recording waits for a node that cannot be used. It waits for the cluster as long as it takes. */
const giveUpMs = 20_000;

/** Continues from `before` and the existing chunks. */
export function createCapture(given: CaptureDeps, before: RecordedProgress): Capture {
  const state = newCaptureState(before);
  const clusterFailures = new WeakSet<object>();
  const deps = { ...given, kube: noting(given.kube, clusterFailures) };
  return {
    progress: () => state.progress,
    isIdle: () => state.isIdle,
    async step(recording, network) {
      state.isIdle = false;
      if (state.progress.state === 'recorded') return false;
      if (recording.spec.stopped) state.stoppingSinceMs ??= deps.clock.nowMs();
      const verdict = networkVerdict({ recording, network, progress: state.progress });
      if (verdict.kind === 'end') return endEarly(state, { ...deps, recording }, verdict.message);
      if (verdict.kind === 'wait' || !network) {
        return wait(state, verdict.kind === 'wait' ? verdict.message : undefined);
      }
      try {
        return await attempt(state, deps, { recording, network });
      } catch (error) {
        return afterFailure(state, { ...deps, recording, clusterFailures }, error);
      }
    },
  };
}

/** A Kube whose failures can be distinguished from those of a node. */
function noting(kube: CaptureDeps['kube'], failures: WeakSet<object>): CaptureDeps['kube'] {
  return withAnswers(kube, (answer) =>
    answer.catch((error: unknown) => {
      if (isAppError(error)) failures.add(error);
      throw error;
    }),
  );
}

function wait(state: CaptureState, message: string | undefined): false {
  const word = state.progress.firstBlock === undefined ? 'waiting' : 'recording';
  state.progress = { ...state.progress, state: word, ...compact({ message }) };
  state.isIdle = true;
  return false;
}

interface Subject {
  recording: Stored<RecordingResource>;
  network: Stored<NetworkResource>;
}

async function attempt(
  state: CaptureState,
  { kube, clock, readerOf, onReorganised }: CaptureDeps,
  { recording, network }: Subject,
): Promise<boolean> {
  const reader = readerOf(network, recording.spec.userAddress.toLowerCase());
  if (!reader) throw new AppError('Unavailable', "the network's engine cannot be reached");
  const step = { kube, clock, reader, recording, network };
  if (state.progress.firstBlock === undefined) {
    await begin(state, step);
    return true;
  }
  if (state.progress.genesisHash === undefined) await rememberBefore(state, step);
  const isMore = await follow(state, {
    ...step,
    onReorganised: (message) => onReorganised(recording, message),
  });
  if (state.progress.state === 'recording') adopt(state, network);
  return isMore;
}

/** The blocks that were read are on the chain that the network runs now. */
function adopt(state: CaptureState, network: Stored<NetworkResource>): void {
  const enclaveID = incarnationOf(network);
  if (state.progress.enclaveID === enclaveID) return;
  state.progress = { ...state.progress, ...compact({ enclaveID }) };
}

interface Failing extends Pick<CaptureDeps, 'kube' | 'clock'>, Pick<Subject, 'recording'> {
  clusterFailures: WeakSet<object>;
}

/** Throws the error again, unless the recording is stopping and has waited long enough. */
async function afterFailure(state: CaptureState, failing: Failing, error: unknown): Promise<false> {
  // The next step reads again what was written.
  state.store = undefined;
  state.window.shrink();
  if (!isAppError(error)) throw error;
  if (failing.clusterFailures.has(error)) state.stoppingSinceMs = undefined;
  const { stoppingSinceMs } = state;
  const isGivenUp = stoppingSinceMs !== undefined && failing.clock.nowMs() - stoppingSinceMs > giveUpMs;
  if (isGivenUp) return endEarly(state, failing, error.message);
  state.progress = { ...state.progress, message: cut(messageFor(error), 1000) };
  throw error;
}

/** Blocks stay on the chain until there is room to store what is in them. */
function messageFor(error: AppError): string {
  return isStorageRefusal(error) ? `${error.message}; recording goes on when there is room` : error.message;
}
