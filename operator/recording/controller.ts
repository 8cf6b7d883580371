import { compact } from '../../core/lib/compact.ts';
import { type Controller, type ControllerMetrics, createController } from '../runtime/controller.ts';
import { createWorkQueue, type QueueMetrics } from '../runtime/queue.ts';
import { type CaptureKey, createRecordingReconcile, type RecordingDeps } from './reconcile.ts';

interface ControllerSettings {
  workers: number;
  metrics?: (controller: string) => QueueMetrics & ControllerMetrics;
}

/** Networks that are read at the same time. Most of a step is waiting for a node, and some never answer. */
const captureWorkers = 64;
const longestRetryMs = 10_000;
/** Progress alone is told this often. */
const progressMs = 2_000;

/** The controller of recordings, for one term of leadership. */
export function createRecordingController(deps: RecordingDeps, settings: ControllerSettings): Controller {
  const { clock, log, caches } = deps;
  const commonOf = (name: string) => {
    const metrics = settings.metrics?.(name);
    return { clock, ...compact({ metrics }) };
  };
  const recordings = createWorkQueue(commonOf('recording'));
  const captures = createWorkQueue({ ...commonOf('capture'), maxDelayMs: longestRetryMs });
  const reconcile = createRecordingReconcile(deps, (uid, isUrgent) =>
    recordings.addAfter(uid, isUrgent ? 0 : progressMs),
  );
  const controllers = [
    createController({
      ...commonOf('recording'),
      ...{ name: 'recording', queue: recordings, workers: settings.workers, log },
      reconcile: reconcile.tell,
    }),
    createController({
      ...commonOf('capture'),
      ...{ name: 'capture', queue: captures, workers: captureWorkers, log },
      reconcile: (key) => reconcile.capture(parseKey(key)),
    }),
  ];
  const add = ({ metadata, spec, status }: ReturnType<typeof caches.recordings.list>[number]) => {
    const { uid } = metadata;
    recordings.add(uid);
    if (status?.state !== 'recorded')
      for (const network of spec.networks) captures.add(formatKey({ uid, network }));
  };
  return {
    name: 'recording',
    async run(signal) {
      const stops = [
        caches.recordings.onChange(({ object }) => add(object)),
        caches.networks.onChange(({ object: { metadata } }) => {
          const network = `${metadata.namespace}/${metadata.name}`;
          for (const recording of caches.recordings.byIndex('network', network)) {
            const key = formatKey({ uid: recording.metadata.uid, network: metadata.name });
            if (recording.status?.state !== 'recorded') captures.add(key);
          }
        }),
      ];
      for (const recording of caches.recordings.list()) add(recording);
      await Promise.all(controllers.map((controller) => controller.run(signal)));
      for (const stop of stops) stop();
    },
  };
}

/** Names of networks hold no slash. */
function formatKey({ uid, network }: CaptureKey): string {
  return `${uid}/${network}`;
}

function parseKey(key: string): CaptureKey {
  const [uid = '', network = ''] = key.split('/');
  return { uid, network };
}
