import type { NetworkResource } from '../../core/api/resources/network.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { AppError } from '../../core/lib/errors.ts';
import type { Handler } from '../http/pipeline/handler.ts';
import { notFound } from '../store/find.ts';
import { forCaller } from '../store/kubeErrors.ts';
import { answerNetwork } from './answer.ts';
import type { NetworkDeps } from './deps.ts';
import { layerZerosOf } from './members.ts';

/** Requests the deletion, which the operator carries out, and answers with the network as it was. */
export function deleteNetwork(deps: NetworkDeps): Handler<'deleteNetwork'> {
  return async ({ principal, params }) => {
    const { metadata } = await deps.find(principal.namespace, params.id);
    const current = await forCaller(deps.kube.get(networkType, metadata));
    if (!current || current.metadata.uid !== params.id) throw notFound('Network');
    if (current.metadata.deletionTimestamp) {
      throw new AppError('Conflict', 'the network is already being deleted');
    }
    const users = await layerZerosOf(deps, current);
    if (users.length > 0) {
      const names = users.map((name) => `"${name}"`).join(', ');
      const remedy = 'delete that network first, or remove the member from its spec';
      throw new AppError('Conflict', `the network is a member of the LayerZero network ${names}: ${remedy}`);
    }
    const wasThere = await forCaller(deps.kube.delete(networkType, metadata, { uid: params.id }));
    if (!wasThere) throw notFound('Network');
    await refresh(deps, current);
    return answerNetwork(deps, current, principal);
  };
}

/** Makes the deletion visible to the next read of this replica. If that fails, the watch does so a moment later. */
async function refresh({ kube, cache }: NetworkDeps, deleted: Stored<NetworkResource>): Promise<void> {
  const { uid } = deleted.metadata;
  const now = await kube.get(networkType, deleted.metadata).catch(() => deleted);
  if (now?.metadata.uid !== uid) cache.forget(uid);
  if (now && now !== deleted) cache.observe(now);
}
