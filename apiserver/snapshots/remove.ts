import { idOf } from '../../core/api/ids.ts';
import { nameList } from '../../core/api/nameList.ts';
import { snapshotType } from '../../core/api/resources/resources.ts';
import type { SnapshotResource } from '../../core/api/resources/snapshot.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { AppError } from '../../core/lib/errors.ts';
import type { Principal } from '../http/auth/principal.ts';
import type { Handler } from '../http/pipeline/handler.ts';
import { notFound } from '../store/find.ts';
import { forCaller } from '../store/kubeErrors.ts';
import type { SnapshotDeps } from './deps.ts';
import { answerSnapshot, findBoth } from './read.ts';

export function deleteSnapshot(deps: SnapshotDeps): Handler<'deleteSnapshot'> {
  return async ({ principal, params }) =>
    remove(deps, await deps.find(principal.namespace, params.id), principal);
}

export function deleteNetworkSnapshot(deps: SnapshotDeps): Handler<'deleteNetworkSnapshot'> {
  return async ({ principal, params }) => {
    const { snapshot } = await findBoth(deps, principal, params);
    return remove(deps, snapshot, principal);
  };
}

/** Deletes a snapshot that no network begins from. Kubernetes deletes its parts, which name it as their owner. */
async function remove(deps: SnapshotDeps, snapshot: Stored<SnapshotResource>, principal: Principal) {
  const { name, namespace, uid } = snapshot.metadata;
  const users = deps.networks.cache
    .inNamespace(namespace)
    .filter(({ spec, status }) => spec.from?.snapshot === name || status?.from?.id === idOf(snapshot))
    .map(({ metadata }) => `"${metadata.name}"`);
  if (users.length > 0) {
    const remedy = 'delete these networks, or start new chains of them from something else';
    throw new AppError(
      'Conflict',
      `the snapshot is in use, because network ${nameList(users)} began from it: ${remedy}`,
    );
  }
  const options = { uid, propagationPolicy: 'Background' } as const;
  const wasThere = await forCaller(deps.kube.delete(snapshotType, snapshot.metadata, options));
  if (!wasThere) throw notFound('Snapshot');
  return answerSnapshot(snapshot, principal);
}
