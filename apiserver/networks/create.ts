import { nameOf } from '../../core/api/common.ts';
import type { NetworkSpec } from '../../core/api/network.ts';
import { networkType } from '../../core/api/resources.ts';
import { AppError, isAppError } from '../../core/lib/errors.ts';
import { createOnce } from '../createOnce.ts';
import type { Handler } from '../http/handler.ts';
import { answerNetwork } from './answer.ts';
import type { NetworkDeps } from './deps.ts';
import { idOf, toNewResource } from './mapping.ts';

/**
 * Creates the resource and answers at once. A secret that the spec names need not exist yet: as with kubectl, objects
 * may come in any order, so the operator reports a missing one in the status and goes on once it is there.
 */
export function createNetwork(deps: NetworkDeps): Handler<'createNetwork'> {
  return async ({ principal, body, idempotencyMark: mark }) => {
    refuseUnavailable(deps, body.spec);
    const resource = toNewResource(nameOf(body) ?? '', body.spec, principal);
    const wanted = { type: networkType, object: resource, mark };
    const created = await createOnce(deps.kube, wanted).catch((error) => {
      throw isAppError(error, 'Conflict')
        ? nameTaken(deps, principal.namespace, resource.metadata.name)
        : error;
    });
    deps.cache.observe(created);
    return {
      ...answerNetwork(created, principal.workspaceId),
      location: `/v1alpha/networks/${idOf(created)}`,
    };
  };
}

/** Throws BadRequest naming each part of the spec that this version cannot run. */
export function refuseUnavailable(deps: Pick<NetworkDeps, 'unavailableParts'>, spec: NetworkSpec): void {
  const details = deps.unavailableParts(spec);
  if (details.length === 0) return;
  const list = details.map(({ path, message }) => `${path}: ${message}`).join('; ');
  throw new AppError('BadRequest', `the network cannot be run here: ${list}`, { details });
}

function nameTaken({ cache }: NetworkDeps, namespace: string, name: string): AppError {
  const isLeaving = cache.byName(namespace, name)?.metadata.deletionTimestamp !== undefined;
  const state = isLeaving ? 'is still being deleted' : 'is already in this workspace';
  const message = `a network named «${name}» ${state}`;
  return new AppError('Conflict', message, { details: [{ path: 'name', message }] });
}
