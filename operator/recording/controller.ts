import type { RecordingResource } from '../../core/api/resources/recordingResource.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { stopAll } from '../../core/lib/work/stopAll.ts';
import { createBlockFollowers } from '../runtime/blockFollowers.ts';
import type { Controller } from '../runtime/controller.ts';
import {
  type ControllerSettings,
  defineController,
  joinControllers,
  type Keys,
} from '../runtime/defineController.ts';
import { type CaptureKey, createRecordingReconcile, formatKey, type RecordingDeps } from './reconcile.ts';

/** Networks that are read in parallel. Most of a step is spent waiting for a node, and some never answer. */
const captureWorkers = 256;
const longestRetryMs = 10_000;
/** How often progress is reported when nothing else changes. */
const progressMs = 2_000;

/**
 * The controller of recordings. One queue, by a recording's uid, keeps the status current; the other one reads the chains,
 * per network.
 */
export function createRecordingController(deps: RecordingDeps, settings: ControllerSettings): Controller {
  const recordingOf = (uid: string) => deps.caches.recordings.byIndex('uid', uid)[0];
  const followers = createBlockFollowers(deps.heads, (key, delayMs) => captures.keys.addAfter(key, delayMs));
  const reconcile = createRecordingReconcile(
    deps,
    (uid, isUrgent) => recordings.keys.addAfter(uid, isUrgent ? 0 : progressMs),
    followers,
  );
  const captures = defineController(
    {
      name: 'capture',
      workers: captureWorkers,
      longestRetryMs,
      reconcile: (key) => reconcile.capture(parseKey(key)),
      objectOf: (key) => recordingOf(parseKey(key).uid),
      namespaceOf: (key) => recordingOf(parseKey(key).uid)?.metadata.namespace,
    },
    deps,
    settings,
  );
  const recordings = defineController(
    {
      name: 'recording',
      reconcile: reconcile.reportStatus,
      objectOf: recordingOf,
      watch: (keys) => stopAll([watchRecordings(deps, keys, captures.keys), followers.stop]),
    },
    deps,
    settings,
  );
  return joinControllers('recording', [recordings, captures]);
}

function watchRecordings({ caches }: RecordingDeps, recordings: Keys, captures: Keys): () => void {
  const capture = ({ metadata: { uid }, status }: Stored<RecordingResource>, network: string) => {
    if (status?.state !== 'recorded') captures.add(formatKey({ uid, network }));
  };
  const add = (recording: Stored<RecordingResource>) => {
    recordings.add(recording.metadata.uid);
    for (const network of recording.spec.networks) capture(recording, network);
  };
  caches.recordings.list().forEach(add);
  return stopAll([
    caches.recordings.onChange(({ object }) => add(object)),
    caches.networks.onChange(({ object: { metadata } }) => {
      const network = `${metadata.namespace}/${metadata.name}`;
      for (const recording of caches.recordings.byIndex('network', network)) {
        capture(recording, metadata.name);
      }
    }),
  ]);
}

function parseKey(key: string): CaptureKey {
  const [uid = '', network = ''] = key.split('/');
  return { uid, network };
}
