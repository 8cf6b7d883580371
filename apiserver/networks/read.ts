import { toEndpointSet } from '../../core/api/views/networkView.ts';
import type { Handler } from '../http/pipeline/handler.ts';
import { answerNetwork } from './answer.ts';
import type { NetworkDeps } from './deps.ts';
import { isWriter } from './endpoints.ts';

/** One network, from the cache. Reading it counts as activity. */
export function getNetwork(deps: NetworkDeps): Handler<'getNetwork'> {
  return async ({ principal, params }) => {
    const resource = await deps.find(principal.namespace, params.id);
    deps.touch(resource);
    return answerNetwork(deps, resource, principal);
  };
}

/** The URLs of a network's services. Reading them counts as activity. */
export function getNetworkEndpoints(deps: NetworkDeps): Handler<'getNetworkEndpoints'> {
  return async ({ principal, params }) => {
    const resource = await deps.find(principal.namespace, params.id);
    deps.touch(resource);
    const endpoints = deps.endpointsOf(resource, isWriter(principal));
    return { body: toEndpointSet(resource, { workspaceId: principal.workspaceId, endpoints }) };
  };
}
