import { tokenType } from '../../core/api/resources/resources.ts';
import { networkIdOf } from '../../core/api/views/deployments.ts';
import type { Handler } from '../http/pipeline/handler.ts';
import { notFound } from '../store/find.ts';
import { forCaller } from '../store/kubeErrors.ts';
import { changeDeployments } from './change.ts';
import type { TokenDeps } from './deps.ts';
import { checkMayDelete, describeToken } from './identity.ts';

/** Deletes the resource with all records of its deployments. The token stays on the chains. */
export function deleteToken({ kube, find }: TokenDeps): Handler<'deleteToken'> {
  return async ({ principal, params }) => {
    const resource = await find(principal.namespace, params.token_id);
    checkMayDelete(resource, principal);
    const wasThere = await forCaller(
      kube.delete(tokenType, resource.metadata, { uid: resource.metadata.uid }),
    );
    if (!wasThere) throw notFound('Token');
    return { body: undefined, objects: [describeToken(resource)] };
  };
}

/** Removes one network from the desired deployments; the operator drops its record. The token stays on the chain. */
export function deleteDeployment(deps: TokenDeps): Handler<'deleteDeployment'> {
  return async ({ principal, params }) => {
    const token = await deps.find(principal.namespace, params.token_id);
    checkMayDelete(token, principal);
    await changeDeployments(deps, { token }, (current) => {
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
