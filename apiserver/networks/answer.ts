import type { Network, NetworkResource } from '../../core/api/resources/network.ts';
import { describeNetwork, toNetwork } from '../../core/api/views/networkView.ts';
import { revOf } from '../../core/api/views/objectMeta.ts';
import type { Stored } from '../../core/kube/kube.ts';
import type { Principal } from '../http/auth/principal.ts';
import type { Reply } from '../http/pipeline/handler.ts';
import { etagOf } from '../http/pipeline/ifMatch.ts';
import type { NetworkDeps } from './deps.ts';
import { isWriter } from './endpoints.ts';

/** The answer with one network. */
export function answerNetwork(
  { endpointsOf }: Pick<NetworkDeps, 'endpointsOf'>,
  resource: Stored<NetworkResource>,
  principal: Principal,
): Reply<Network> {
  const endpoints = endpointsOf(resource, isWriter(principal));
  return {
    body: toNetwork(resource, { workspaceId: principal.workspaceId, endpoints }),
    etag: etagOf(revOf(resource)),
    objects: [describeNetwork(resource)],
  };
}
