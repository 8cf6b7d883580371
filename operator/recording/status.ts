import type {
  RecordedProgress,
  RecordingResource,
  RecordingStatus,
} from '../../core/api/resources/recordingResource.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { toRfc3339 } from '../../core/lib/clock.ts';
import { cut } from '../../core/lib/text/foreignText.ts';
import { type Readiness, readyCondition } from '../runtime/status.ts';
import { begunAt } from './captureState.ts';

/** The progress on a network of which nothing is known yet, except perhaps the head of its chain at the start. */
export function unseen({ spec }: RecordingResource, network: string): RecordedProgress {
  const head = spec.start?.find((one) => one.network === network);
  return head ? begunAt(head) : { network };
}

/** The status of a recording, from the progress on each of its networks. */
export function statusOf(
  recording: Stored<RecordingResource>,
  networks: readonly RecordedProgress[],
  nowMs: number,
): RecordingStatus {
  const { status: before, metadata } = recording;
  const isRecorded = networks.every(({ state }) => state === 'recorded') && recording.spec.stopped === true;
  const readiness = readinessOf(networks, isRecorded);
  const endedAt = isRecorded ? { endedAt: before?.endedAt ?? toRfc3339(nowMs) } : {};
  return {
    state: isRecorded ? 'recorded' : 'recording',
    message: readiness.message,
    startedAt: before?.startedAt ?? metadata.creationTimestamp,
    ...endedAt,
    networks: [...networks],
    transactions: sumOf(networks, 'transactions'),
    chunks: sumOf(networks, 'chunks'),
    observedGeneration: metadata.generation ?? 0,
    conditions: [readyCondition(recording, readiness, nowMs)],
  };
}

/** Ready while every network is being recorded, and afterwards if each was recorded to the end. */
function readinessOf(networks: readonly RecordedProgress[], isRecorded: boolean): Readiness {
  const notes = networks
    .filter(({ message }) => message !== undefined)
    .map(({ network, message }) => `${network}: ${message}`);
  const pending = networks.filter(({ state }) => state === undefined);
  if (notes.length > 0) {
    const isWaiting = networks.every(({ state, message }) => message === undefined || state === 'waiting');
    const reason = isWaiting ? 'Waiting' : 'Interrupted';
    return { isReady: false, reason, message: cut(notes.join('; '), 1000) };
  }
  if (pending.length > 0) return { isReady: false, reason: 'Starting', message: 'the recording is starting' };
  const reason = isRecorded ? 'Recorded' : 'Recording';
  return { isReady: true, reason, message: isRecorded ? 'every network was recorded' : 'recording' };
}

function sumOf(networks: readonly RecordedProgress[], member: 'transactions' | 'chunks'): number {
  return networks.reduce((sum, progress) => sum + (progress[member] ?? 0), 0);
}
