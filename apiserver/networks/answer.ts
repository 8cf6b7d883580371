import type { Network, NetworkResource } from '../../core/api/resources/network.ts';
import type { Stored } from '../../core/kube/kube.ts';
import type { Reply } from '../http/pipeline/handler.ts';
import { etagOf } from '../http/pipeline/ifMatch.ts';
import { idOf, revOf, toNetwork } from './mapping.ts';

/** The answer with one network. */
export function answerNetwork(resource: Stored<NetworkResource>, workspaceId: string): Reply<Network> {
  return {
    body: toNetwork(resource, workspaceId),
    etag: etagOf(revOf(resource)),
    objects: [`network ${resource.metadata.name} (${idOf(resource)})`],
  };
}
