import type { NetworkResource } from '../../core/api/resources/network.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import type { SnapshotResource } from '../../core/api/resources/snapshot.ts';
import { fromRefusal } from '../../core/api/rules/snapshots.ts';
import { updatedAtAnnotation } from '../../core/api/views/networkView.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { toRfc3339 } from '../../core/lib/clock.ts';
import { AppError } from '../../core/lib/errors.ts';
import type { Handler } from '../http/pipeline/handler.ts';
import { answerNetwork } from '../networks/answer.ts';
import { notFound } from '../store/find.ts';
import { updateLive } from '../store/updateLive.ts';
import type { SnapshotDeps } from './deps.ts';
import { findBoth } from './read.ts';

/**
 * Makes the spec name the snapshot and requests a ResetState, as a user of kubectl would. A repeated request requests no other one: the
 * chain may have been used since.
 */
export function revertNetwork(deps: SnapshotDeps): Handler<'revertNetwork'> {
  return async ({ principal, params, idempotencyMark: mark }) => {
    const { network, snapshot } = await findBoth(deps, principal, params);
    const { namespace, name, uid } = network.metadata;
    const target = { type: networkType, namespace, name, mark, absent: () => notFound('Network') };
    const updatedAt = toRfc3339(deps.networks.clock.nowMs());
    const reverted = await updateLive(deps.kube, target, (current) => {
      if (current.metadata.uid !== uid) throw notFound('Network');
      return withRevert(current, snapshot, updatedAt);
    });
    deps.networks.touch(reverted);
    return answerNetwork(deps.networks, reverted, principal);
  };
}

function withRevert(
  current: Stored<NetworkResource>,
  snapshot: Stored<SnapshotResource>,
  updatedAt: string,
): Stored<NetworkResource> {
  const { metadata, status } = current;
  const refusal = fromRefusal(current.spec, snapshot);
  if (refusal !== undefined) throw new AppError('Conflict', `the network cannot be reverted: ${refusal}`);
  const last = Math.max(current.spec.maintenanceRequest?.nonce ?? 0, status?.observedMaintenanceNonce ?? 0);
  const spec = {
    ...current.spec,
    from: { snapshot: snapshot.metadata.name },
    maintenanceRequest: { action: 'ResetState' as const, nonce: last + 1 },
  };
  const annotations = { ...metadata.annotations, [updatedAtAnnotation]: updatedAt };
  return { ...current, metadata: { ...metadata, annotations }, spec };
}
