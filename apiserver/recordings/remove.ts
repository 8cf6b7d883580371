import { recordingType } from '../../core/api/resources/resources.ts';
import { describeRecording } from '../../core/api/views/recordingView.ts';
import type { Handler } from '../http/pipeline/handler.ts';
import { notFound } from '../store/find.ts';
import { forCaller } from '../store/kubeErrors.ts';
import type { RecordingDeps } from './deps.ts';

/**
 * Deletes a recording in any state. Kubernetes collects its chunks, which name it as their owner, so that the answer
 * does not wait for thousands of deletions.
 */
export function deleteRecording(deps: RecordingDeps): Handler<'deleteRecording'> {
  return async ({ principal, params }) => {
    const resource = await deps.find(principal.namespace, params.id);
    const options = { uid: resource.metadata.uid, propagationPolicy: 'Background' } as const;
    const wasThere = await forCaller(deps.kube.delete(recordingType, resource.metadata, options));
    if (!wasThere) throw notFound('Recording');
    return { body: undefined, objects: [describeRecording(resource)] };
  };
}
