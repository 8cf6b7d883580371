import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { RecordedProgress, RecordingResource } from '../../core/api/resources/recordingResource.ts';
import { recordingType } from '../../core/api/resources/resources.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { EventContent, EventRecorder } from '../../core/kube/events/recorder.ts';
import type { Kube, Stored } from '../../core/kube/kube.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { isAppError } from '../../core/lib/errors.ts';
import type { Log } from '../../core/lib/log.ts';
import type { SharedHeads } from '../../core/networks/heads/sharedHeads.ts';
import type { BlockFollowers } from '../runtime/blockFollowers.ts';
import type { ReconcileResult } from '../runtime/controller.ts';
import { memberPatch } from '../runtime/status.ts';
import { type Capture, createCapture } from './capture.ts';
import type { WalletReader } from './chain.ts';
import { statusOf, unseen } from './status.ts';

export interface RecordingDeps {
  kube: Kube;
  caches: {
    recordings: Reflector<RecordingResource>;
    networks: Pick<Reflector<NetworkResource>, 'get' | 'onChange'>;
  };
  readerOf(network: Stored<NetworkResource>, wallet: string): WalletReader | undefined;
  events: EventRecorder;
  /** If absent, chains are asked at intervals. */
  heads?: Pick<SharedHeads, 'follow' | 'isSubscribed'>;
  clock: Clock;
  log: Log;
}

/** One network of one recording. */
export interface CaptureKey {
  uid: string;
  network: string;
}

/** Names of networks contain no slash. */
export function formatKey({ uid, network }: CaptureKey): string {
  return `${uid}/${network}`;
}

export interface RecordingReconcile {
  /** Writes the status of a recording, by its uid. */
  reportStatus(uid: string): Promise<ReconcileResult>;
  /** Reads the next blocks of one network. Throws Unavailable when its node cannot be used. */
  capture(key: CaptureKey): Promise<ReconcileResult>;
}

/** How often a chain is read if its node does not announce blocks, or if it may be another chain. */
const pollMs = 1_000;
/** The same if its node announces blocks: a reorganization is announced only with the next block. */
const quietMs = 30_000;

/** Runs are kept for one term of leadership; `changed` is called when a recording has something to report. */
export function createRecordingReconcile(
  deps: RecordingDeps,
  changed: (uid: string, isUrgent: boolean) => void,
  followers: BlockFollowers,
): RecordingReconcile {
  const captures = rememberCaptures(deps);
  const find = (uid: string) => deps.caches.recordings.byIndex('uid', uid)[0];
  return {
    async reportStatus(uid) {
      const recording = find(uid);
      if (!recording || recording.metadata.deletionTimestamp) {
        captures.forget(uid);
        return { state: 'Gone' };
      }
      const networks = recording.spec.networks.map((network) => captures.progress(recording, network));
      // The cluster's time: the local clock may be wrong.
      const status = statusOf(recording, networks, await deps.kube.serverTimeMs());
      await writeStatus(deps, recording, { ...status });
      if (status.state === 'recorded') captures.forget(uid);
      return { state: status.state };
    },
    async capture({ uid, network }) {
      const recording = find(uid);
      if (!recording || !isOpen(recording)) {
        followers.leave(formatKey({ uid, network }));
        return {};
      }
      const capture = captures.get(recording, network);
      const before = capture.progress();
      try {
        return await step(deps, recording, { capture, network, followers });
      } catch (error) {
        // A conflicting write, or a problem of the network: both are retried.
        if (!isAppError(error)) captures.forget(uid, network);
        throw error;
      } finally {
        const { state, message } = capture.progress();
        const isUrgent = state !== before.state || message !== before.message;
        if (capture.progress() !== before) changed(uid, isUrgent);
      }
    },
  };
}

const isOpen = ({ metadata, status }: Stored<RecordingResource>): boolean =>
  !metadata.deletionTimestamp && status?.state !== 'recorded';

interface CaptureStep {
  capture: Capture;
  network: string;
  followers: BlockFollowers;
}

async function step(
  { caches }: RecordingDeps,
  recording: Stored<RecordingResource>,
  { capture, network: name, followers }: CaptureStep,
): Promise<ReconcileResult> {
  const { namespace, uid } = recording.metadata;
  const key = formatKey({ uid, network: name });
  const network = caches.networks.get({ namespace, name });
  const isMore = await capture.step(recording, network);
  const isEnded = capture.progress().state === 'recorded';
  // A change of the network is a reason to come back.
  if (isEnded || network?.status?.state !== 'Operational') {
    followers.leave(key);
    return {};
  }
  const isSubscribed = followers.follow(key, network.metadata.uid);
  if (isMore) return { requeueAfterMs: 0 };
  return { requeueAfterMs: isSubscribed && capture.isIdle() ? quietMs : pollMs };
}

/** The captures under way, by recording (uid) and network. */
function rememberCaptures(deps: RecordingDeps) {
  const captures = new Map<string, Map<string, Capture>>();
  const onReorganised = (recording: Stored<RecordingResource>, message: string) =>
    deps.events.record(recording, { type: 'Normal', reason: 'Reorganised', message });
  return {
    get(recording: Stored<RecordingResource>, network: string): Capture {
      const { uid } = recording.metadata;
      const own = captures.get(uid) ?? new Map<string, Capture>();
      captures.set(uid, own);
      const capture =
        own.get(network) ?? createCapture({ ...deps, onReorganised }, progressOf(recording, network));
      own.set(network, capture);
      return capture;
    },
    progress(recording: Stored<RecordingResource>, network: string): RecordedProgress {
      const capture = captures.get(recording.metadata.uid)?.get(network);
      return capture?.progress() ?? progressOf(recording, network);
    },
    forget(uid: string, network?: string): void {
      if (network === undefined) captures.delete(uid);
      else captures.get(uid)?.delete(network);
    },
  };
}

function progressOf(recording: Stored<RecordingResource>, network: string): RecordedProgress {
  const known = recording.status?.networks?.find((progress) => progress.network === network);
  return known ?? unseen(recording, network);
}

async function writeStatus(
  { kube, caches, events }: RecordingDeps,
  recording: Stored<RecordingResource>,
  desired: Record<string, unknown>,
): Promise<void> {
  const patch = memberPatch(recording.status, desired);
  if (!patch) return;
  const { namespace, name, uid } = recording.metadata;
  // The uid is a precondition: a later object with the same name keeps its own status.
  const body = { metadata: { uid }, status: patch };
  const written = await kube.patch(recordingType, { namespace, name }, body, 'status');
  caches.recordings.observe(written);
  const event = eventOf(recording, written);
  if (event) events.record(written, event);
}

/** Only a change of the condition is worth an Event. */
function eventOf(
  before: Stored<RecordingResource>,
  after: Stored<RecordingResource>,
): EventContent | undefined {
  const [former] = before.status?.conditions ?? [];
  const [ready] = after.status?.conditions ?? [];
  if (!ready || (former?.reason === ready.reason && former.message === ready.message)) return undefined;
  const type = ready.reason === 'Interrupted' ? 'Warning' : 'Normal';
  return { type, reason: ready.reason, message: ready.message };
}
