import { accessLevels } from '../../core/accounts/accessKeys.ts';
import { idOf } from '../../core/api/ids.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import { updatedAtAnnotation } from '../../core/api/views/networkView.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { toRfc3339 } from '../../core/lib/clock.ts';
import { accessEpochsOf, requestRotation } from '../../core/networks/accessEpochs.ts';
import { requireOwnUrls } from '../../core/networks/ownUrls.ts';
import type { Handler } from '../http/pipeline/handler.ts';
import { notFound } from '../store/find.ts';
import { updateLive } from '../store/updateLive.ts';
import { answerNetwork } from './answer.ts';
import type { NetworkDeps } from './deps.ts';

/** How long the answer waits for the operator to count the rotation. */
const rotatedLimitMs = 10_000;

/**
 * Replaces access keys. The old ones stop working when the request is stored. The answer has the new URLs; if the
 * operator is away, it has none for these keys, and a later GET returns them.
 */
export function rotateNetworkKeys(deps: NetworkDeps): Handler<'rotateNetworkKeys'> {
  return async ({ principal, params, body, idempotencyMark: mark }) => {
    const found = await deps.find(principal.namespace, params.id);
    requireOwnUrls(found, 'rotate the keys of its members');
    const { namespace, name, uid } = found.metadata;
    const { keys = accessLevels } = body;
    const target = { type: networkType, namespace, name, mark, absent: () => notFound('Network') };
    const requested = await updateLive(deps.kube, target, (current) => {
      if (current.metadata.uid !== uid) throw notFound('Network');
      return withRequest(deps, current, keys);
    });
    deps.touch(requested);
    const isRotated = (network: Stored<NetworkResource>) =>
      network.metadata.uid === uid && keys.every((access) => accessEpochsOf(network)[access] !== undefined);
    const rotated = await deps.waitFor(isRotated, { timeoutMs: rotatedLimitMs });
    return answerNetwork(deps, rotated ?? deps.cache.byId(namespace, idOf(found)) ?? requested, principal);
  };
}

function withRequest(
  { clock }: NetworkDeps,
  current: Stored<NetworkResource>,
  keys: Parameters<typeof requestRotation>[1],
): Stored<NetworkResource> {
  const { annotations = {} } = current.metadata;
  const updatedAt = toRfc3339(clock.nowMs());
  return {
    ...current,
    metadata: { ...current.metadata, annotations: { ...annotations, [updatedAtAnnotation]: updatedAt } },
    spec: { ...current.spec, accessKeyRotation: requestRotation(current, keys) },
  };
}
