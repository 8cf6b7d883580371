import { operations } from '../../core/api/operations/operations.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { readNetworkField, toNetwork } from '../../core/api/views/networkView.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { keptBytes } from '../../core/lib/keptBytes.ts';
import { listPage } from '../http/paging/list.ts';
import type { Handler } from '../http/pipeline/handler.ts';
import type { NetworkDeps } from './deps.ts';
import { isWriter } from './endpoints.ts';

/** Networks of the workspace by name, from the cache once it has caught up. Listing does not count as activity. */
export function listNetworks(deps: NetworkDeps): Handler<'listNetworks'> {
  // Objects in the cache are replaced, never modified, so their JSON stays valid for callers with the same access.
  const forWriters = new WeakMap<NetworkResource, Buffer>();
  const forReaders = new WeakMap<NetworkResource, Buffer>();
  return async ({ principal, query }) => {
    const { workspaceId } = principal;
    const mayWrite = isWriter(principal);
    const known = mayWrite ? forWriters : forReaders;
    const render = (resource: Stored<NetworkResource>): Buffer => {
      const endpoints = deps.endpointsOf(resource, mayWrite);
      return keptBytes(JSON.stringify(toNetwork(resource, { workspaceId, endpoints })));
    };
    const toJson = (resource: Stored<NetworkResource>): Buffer => {
      const json = known.get(resource) ?? render(resource);
      known.set(resource, json);
      return json;
    };
    const { json } = listPage(
      {
        kind: 'NetworkList',
        version: 'v1alpha',
        endpoint: 'listNetworks',
        principal,
        query,
        selectable: operations.listNetworks.selectable,
        itemsFor: () => deps.cache.inNamespace(principal.namespace),
        keyOf: ({ metadata }) => metadata.name,
        readField: readNetworkField,
        toJson,
      },
      deps.cursors,
    );
    return { json };
  };
}
