import { idOf } from '../../core/api/ids.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { RecordedHead, RecordingResource } from '../../core/api/resources/recordingResource.ts';
import { recordingType } from '../../core/api/resources/resources.ts';
import { describeRecording, stateOf, toRecording } from '../../core/api/views/recordingView.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { openParts } from '../../core/recordings/parts.ts';
import type { Handler } from '../http/pipeline/handler.ts';
import { notFound } from '../store/find.ts';
import { forCallers } from '../store/kubeErrors.ts';
import { updateLive } from '../store/updateLive.ts';
import type { RecordingDeps } from './deps.ts';
import { streamRecording } from './stream.ts';

/** Longer than the operator waits for a hanging node, and shorter than the timeouts of common proxies. */
const recordedLimitMs = 45_000;

/**
 * Stops a recording permanently and answers when everything up to the heads of its networks is captured. If that takes
 * too long, the state in the answer is still "recording", and a later GET returns the rest.
 */
export function stopRecording(deps: RecordingDeps): Handler<'stopRecording'> {
  return async ({ principal, body }) => {
    const found = await deps.find(principal.namespace, body.recordingId);
    const { namespace, name, uid } = found.metadata;
    const networks = found.spec.stopped ? [] : networksOf(deps, found);
    const end = await deps.readHeads(networks);
    const target = { type: recordingType, namespace, name, absent: () => notFound('Recording') };
    const stopped = await updateLive(deps.kube, target, (current) => stop(current, { uid, end }));
    const isDone = (one: Stored<RecordingResource>) =>
      one.metadata.uid === uid && stateOf(one) === 'recorded';
    const recorded = await deps.waitFor(isDone, { timeoutMs: recordedLimitMs });
    const latest = recorded ?? deps.cache.byId(namespace, idOf(found)) ?? stopped;
    return {
      stream: streamRecording(
        toRecording(latest, deps.networks),
        await openParts(forCallers(deps.kube), latest),
      ),
      objects: [describeRecording(latest)],
    };
  };
}

/** Those of its networks that exist. */
function networksOf(
  { networks }: Pick<RecordingDeps, 'networks'>,
  { metadata: { namespace }, spec }: Stored<RecordingResource>,
): Stored<NetworkResource>[] {
  return spec.networks
    .map((name) => networks.byName(namespace, name))
    .filter((network) => network !== undefined);
}

/** Stopping a stopped recording changes nothing. */
function stop(
  current: Stored<RecordingResource>,
  { uid, end }: { uid: string; end: RecordedHead[] },
): Stored<RecordingResource> {
  if (current.metadata.uid !== uid) throw notFound('Recording');
  if (current.spec.stopped) return current;
  return { ...current, spec: { ...current.spec, stopped: true, ...(end.length > 0 ? { end } : {}) } };
}
