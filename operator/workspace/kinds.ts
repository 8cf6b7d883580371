import { type KubeObject, resourceType } from '../../core/api/resources/kubeObject.ts';

/** Built-in kinds that the operator manages in the namespaces of workspaces. */

export interface NetworkPolicy extends KubeObject {
  spec: Record<string, unknown>;
}

export interface RoleBinding extends KubeObject {
  roleRef: { apiGroup: string; kind: string; name: string };
  subjects: { kind: string; name: string; namespace: string }[];
}

export interface ResourceQuota extends KubeObject {
  spec: { hard: Record<string, string | number> };
  status?: { used?: Record<string, string> };
}

export interface LimitRange extends KubeObject {
  spec: { limits: Record<string, unknown>[] };
}

export const resourceQuotaType = resourceType<ResourceQuota>('v1', 'ResourceQuota');

export const limitRangeType = resourceType<LimitRange>('v1', 'LimitRange');

export const networkPolicyType = resourceType<NetworkPolicy>('networking.k8s.io/v1', 'NetworkPolicy');

export const roleBindingType = resourceType<RoleBinding>('rbac.authorization.k8s.io/v1', 'RoleBinding');
