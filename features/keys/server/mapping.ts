import type { Principal } from '../../../apiserver/http/auth/principal.ts';
import { apiVersion, labels } from '../../../core/api/names.ts';
import { ownerReferenceTo } from '../../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { compact } from '../../../core/lib/compact.ts';
import type { RpcKey, RpcKeyCreate, RpcKeyResource } from '../api/rpcKey.ts';
import { hasExpired } from '../core/standing.ts';

/** The RpcKey custom resource for a new key of the caller. */
export function toResource(
  network: Stored<NetworkResource>,
  { name, expiresAt, methods }: RpcKeyCreate,
  { namespace, userId, workspaceId }: Principal,
): RpcKeyResource {
  return {
    apiVersion,
    kind: 'RpcKey',
    metadata: {
      name,
      namespace,
      labels: { [labels.owner]: userId, [labels.workspace]: workspaceId },
      // It goes with its network, and its name is free again.
      ownerReferences: [ownerReferenceTo(network)],
    },
    spec: { network: network.metadata.name, ...compact({ expiresAt, methods }) },
  };
}

/** The key of REST. */
export function toRpcKey({ metadata, spec, status }: Stored<RpcKeyResource>, nowMs: number): RpcKey {
  const { expiresAt, methods } = spec;
  const { state = 'Pending', message, endpoints } = status ?? {};
  return {
    kind: 'RpcKey',
    version: 'v1alpha',
    name: metadata.name,
    createdAt: metadata.creationTimestamp,
    ...compact({ expiresAt, methods, message, endpoints }),
    state: hasExpired(expiresAt, nowMs) ? 'Expired' : state,
  };
}
