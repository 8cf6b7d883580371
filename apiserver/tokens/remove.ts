import { tokenType } from '../../core/api/resources/resources.ts';
import type { Handler } from '../http/pipeline/handler.ts';
import { notFound } from '../store/find.ts';
import { forCaller } from '../store/kubeErrors.ts';
import { changeDeployments } from './change.ts';
import { networkIdOf } from './deployments.ts';
import type { TokenDeps } from './deps.ts';
import { checkMayDelete, describeToken } from './identity.ts';

/** Deletes the resource, and with it all records of deployments. On the chains the token stays. */
export function deleteToken({ kube, cache, find }: TokenDeps): Handler<'deleteToken'> {
  return async ({ principal, params }) => {
    const resource = await find(principal.namespace, params.token_id);
    checkMayDelete(resource, principal);
    const wasThere = await forCaller(kube.delete(tokenType, resource.metadata, { uid: params.token_id }));
    cache.forget(params.token_id);
    if (!wasThere) throw notFound('Token');
    return { body: undefined, objects: [describeToken(resource)] };
  };
}

/** Takes one network from what is wanted; the operator drops its record. On the chain the token stays. */
export function deleteDeployment(deps: TokenDeps): Handler<'deleteDeployment'> {
  return async ({ principal, params }) => {
    const token = await deps.find(principal.namespace, params.token_id);
    checkMayDelete(token, principal);
    await changeDeployments(deps, token, (current) => {
      const { deployments } = current.spec;
      const rest = deployments.filter(
        (entry) => networkIdOf(current, entry, deps.networks) !== params.network_id,
      );
      if (rest.length === deployments.length) throw notFound('Deployment');
      return rest;
    });
    return { body: undefined, objects: [describeToken(token)] };
  };
}
