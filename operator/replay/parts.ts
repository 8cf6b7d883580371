import { recordingType } from '../../core/api/resources/resources.ts';
import type { RecordedTransaction } from '../../core/api/rest/replay.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { AppError } from '../../core/lib/errors.ts';
import { openParts } from '../../core/recordings/parts.ts';
import type { OrderedRun } from '../../core/replays/runs.ts';
import { readSource } from '../../core/replays/sources.ts';

/** What to replay on one network. */
export interface Part {
  recordedId: string;
  targetId: string;
  /** In order, some at a time. Can be called again. */
  read(): AsyncIterable<readonly RecordedTransaction[]>;
}

/** The parts of a run in the order in which they were asked for. Throws Conflict if the recording does not have them any more. */
export async function openOrder(kube: Pick<Kube, 'get'>, run: OrderedRun): Promise<Part[]> {
  const { networks } = run.spec.order;
  const recorded = await recordedParts(kube, run);
  return networks.map(({ recorded: recordedId, target: targetId, texts }) => {
    if (texts !== undefined) {
      const read = () => readSource(kube, run, { id: recordedId, texts });
      return { recordedId, targetId, read };
    }
    const part = recorded.find(({ id }) => id === recordedId);
    if (!part) throw gone();
    return { recordedId, targetId, read: part.read };
  });
}

/** None of a document. */
async function recordedParts(kube: Pick<Kube, 'get'>, { metadata, spec }: OrderedRun) {
  const { recording: name, recordingUid } = spec.order;
  if (name === undefined) return [];
  const recording = await kube.get(recordingType, { namespace: metadata.namespace, name });
  if (!recording || recording.metadata.uid !== recordingUid) throw gone();
  return openParts(kube, recording);
}

function gone(): AppError {
  return new AppError('Conflict', 'the recording was deleted or changed during the replay');
}
