import { parseRfc3339, toRfc3339 } from '../../lib/clock.ts';
import { compact } from '../../lib/compact.ts';
import { idOf } from '../ids.ts';
import { apiGroup } from '../names.ts';
import type { KubeObject, Stored } from '../resources/kubeObject.ts';
import type { EndpointSet, Network, NetworkResource } from '../resources/network.ts';
import { ownerOf, readMetaField, toObjectMeta } from './objectMeta.ts';

/** Time of the last change over REST, in RFC 3339. */
export const updatedAtAnnotation = `${apiGroup}/updated-at`;

/** What the answer depends on besides the resource. */
interface NetworkView {
  workspaceId: string;
  /** The URLs that the caller may see. */
  endpoints: Record<string, string> | undefined;
}

/** The Network of REST. Until the operator has reconciled the resource, its state is Pending. */
export function toNetwork(
  resource: Stored<NetworkResource>,
  { workspaceId, endpoints }: NetworkView,
): Network {
  const ownerID = ownerOf(resource);
  return {
    kind: 'Network',
    version: 'v1alpha',
    id: idOf(resource),
    name: resource.metadata.name,
    ...compact({ ownerID }),
    metadata: toObjectMeta(resource, { workspaceId, updatedAt: updatedAtOf(resource) }),
    spec: resource.spec,
    status: { ...resource.status, ...compact({ endpoints }), state: stateOf(resource) },
  };
}

/** The EndpointSet of REST; empty while the network has no endpoints. */
export function toEndpointSet(
  resource: Stored<NetworkResource>,
  { workspaceId, endpoints = {} }: NetworkView,
): EndpointSet {
  return {
    kind: 'EndpointSet',
    version: 'v1alpha',
    metadata: toObjectMeta(resource, { workspaceId, updatedAt: updatedAtOf(resource) }),
    map: endpoints,
  };
}

/** A selectable field as text. */
export function readNetworkField(resource: Stored<NetworkResource>, field: string): string | undefined {
  if (field === 'status.state') return stateOf(resource);
  if (field === 'spec.chain.type') return resource.spec.chain.type;
  if (field === 'spec.persistent') return String(resource.spec.persistent ?? false);
  return readMetaField(resource, field);
}

function stateOf(resource: Stored<NetworkResource>) {
  return resource.status?.state ?? 'Pending';
}

/** The latest of: creation, a change over REST, a change of a condition. */
function updatedAtOf({ metadata, status }: Stored<NetworkResource>): string | undefined {
  const candidates = [
    metadata.creationTimestamp,
    metadata.annotations?.[updatedAtAnnotation],
    ...(status?.conditions ?? []).map((condition) => condition.lastTransitionTime),
  ];
  const timesMs = candidates.map(parseRfc3339).filter((timeMs) => timeMs !== undefined);
  return timesMs.length === 0 ? undefined : toRfc3339(Math.max(...timesMs));
}

/** The object for the audit line. */
export function describeNetwork({ metadata }: Stored<KubeObject>): string {
  return `network ${metadata.name} (${idOf({ metadata })})`;
}
