import { nameOf } from '../../core/api/common.ts';
import { idOf } from '../../core/api/ids.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import { AppError, isAppError } from '../../core/lib/errors.ts';
import { creationWarning } from '../../core/networks/chainChange.ts';
import type { Handler } from '../http/pipeline/handler.ts';
import { createOnce } from '../store/createOnce.ts';
import { answerNetwork } from './answer.ts';
import { checkSpec } from './check.ts';
import type { NetworkDeps } from './deps.ts';
import { toNewResource } from './mapping.ts';

/**
 * Creates the resource and answers immediately. A secret that the spec names need not exist yet: as with kubectl,
 * objects may be created in any order. The operator reports a missing secret and continues once it exists. Only the secret
 * of a fork source must exist.
 */
export function createNetwork(deps: NetworkDeps): Handler<'createNetwork'> {
  return async ({ principal, body, isDryRun, idempotencyMark: mark }) => {
    const { namespace } = principal;
    const wantedNetwork = { name: nameOf(body) ?? '', spec: body.spec, labels: body.metadata?.labels };
    const resource = toNewResource(wantedNetwork, principal);
    checkSpec(deps, { namespace, name: resource.metadata.name, spec: body.spec });
    const wanted = { type: networkType, object: resource, mark, isDryRun };
    const created = await createOnce(deps.kube, wanted).catch((error) => {
      throw isAppError(error, 'Conflict') ? nameTaken(deps, namespace, resource.metadata.name) : error;
    });
    return {
      ...answerNetwork(deps, created, principal),
      location: `/v1alpha/networks/${idOf(created)}`,
      warning: creationWarning(body.spec),
    };
  };
}

function nameTaken({ cache }: NetworkDeps, namespace: string, name: string): AppError {
  const isLeaving = cache.byName(namespace, name)?.metadata.deletionTimestamp !== undefined;
  const state = isLeaving
    ? 'is still being deleted: wait or use another name'
    : 'already exists in this workspace: use another name';
  const message = `a network named "${name}" ${state}`;
  return new AppError('Conflict', message, { details: [{ path: 'name', message }] });
}
