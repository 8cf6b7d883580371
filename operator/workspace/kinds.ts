import type { KubeObject, ResourceType } from '../../core/api/resources/kubeObject.ts';

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
}

export interface LimitRange extends KubeObject {
  spec: { limits: Record<string, unknown>[] };
}

export const resourceQuotaType: ResourceType<ResourceQuota> = {
  group: '',
  version: 'v1',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  isNamespaced: true,
};

export const limitRangeType: ResourceType<LimitRange> = {
  group: '',
  version: 'v1',
  kind: 'LimitRange',
  plural: 'limitranges',
  isNamespaced: true,
};

export const networkPolicyType: ResourceType<NetworkPolicy> = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'NetworkPolicy',
  plural: 'networkpolicies',
  isNamespaced: true,
};

export const roleBindingType: ResourceType<RoleBinding> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'RoleBinding',
  plural: 'rolebindings',
  isNamespaced: true,
};
