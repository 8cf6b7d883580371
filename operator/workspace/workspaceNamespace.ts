import type { Installation } from '../../core/api/installation.ts';
import { annotations, labels } from '../../core/api/names.ts';
import type { KubeObject } from '../../core/api/resources/kubeObject.ts';
import type { Namespace } from '../../core/kube/types.ts';
import {
  type LimitRange,
  limitRangeType,
  type NetworkPolicy,
  type ResourceQuota,
  type RoleBinding,
  resourceQuotaType,
} from './kinds.ts';

/** Pure builders for a workspace's namespace and its contents. */

export interface WorkspaceNamespace {
  /** The workspace's id. */
  id: string;
  /** The uid of the Workspace object. */
  uid: string;
  namespace: string;
  installation: Installation;
  /** The operator's own namespace. */
  serviceNamespace: string;
}

/** The namespace. Label and annotation mark it as created by the operator, which may delete it. */
export function namespaceName({ id, uid, namespace, installation }: WorkspaceNamespace): Namespace {
  const { podSecurity } = installation.workspaces;
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: namespace,
      labels: {
        [labels.workspace]: id,
        [labels.workspaceNamespace]: id,
        'pod-security.kubernetes.io/enforce': podSecurity,
        'pod-security.kubernetes.io/warn': podSecurity,
      },
      annotations: { [annotations.workspaceUid]: uid },
    },
  };
}

/** The policies that isolate the engines. */
export function policiesOf({ namespace, installation }: WorkspaceNamespace): NetworkPolicy[] {
  return installation.workspaces.networkPolicies.map(({ name, spec }) => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name, namespace },
    spec,
  }));
}

/** What may be in the namespace besides custom resources, unless the installation has no budgets. */
export function budgetsOf({ namespace, installation }: WorkspaceNamespace): (ResourceQuota | LimitRange)[] {
  const { resourceQuota, limitRange: limits } = installation.workspaces;
  const metadata = { name: 'slipway-budget', namespace };
  const range = { apiVersion: 'v1', kind: limitRangeType.kind, metadata, spec: { limits } };
  const quotas = quotaOf(metadata, resourceQuota, (name) => !isCustomCount(name));
  return [...quotas, ...(limits.length > 0 ? [range] : [])];
}

/** How many custom resources may be in the namespace, unless the installation has no such budget. */
export function objectBudgetOf({ namespace, installation }: WorkspaceNamespace): ResourceQuota[] {
  return quotaOf({ name: objectBudgetName, namespace }, installation.workspaces.resourceQuota, isCustomCount);
}

export const objectBudgetName = 'slipway-objects';

/** `count/<plural>.<group>` counts objects; built-in kinds of the core group have no group. */
const isCustomCount = (name: string) => /^count\/[^.]+\../.test(name);

function quotaOf(
  metadata: ResourceQuota['metadata'],
  all: ResourceQuota['spec']['hard'],
  isIncluded: (name: string) => boolean,
): ResourceQuota[] {
  const hard = Object.fromEntries(Object.entries(all).filter(([name]) => isIncluded(name)));
  if (Object.keys(hard).length === 0) return [];
  return [{ apiVersion: 'v1', kind: resourceQuotaType.kind, metadata, spec: { hard } }];
}

/** The rights of Slipway in the namespace, one binding per role. */
export function bindingsOf({ namespace, installation, serviceNamespace }: WorkspaceNamespace): RoleBinding[] {
  return installation.workspaces.bindings.map(({ role, serviceAccount }) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: role, namespace },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', name: serviceAccount, namespace: serviceNamespace }],
  }));
}

/** Whether the operator created a namespace for this workspace; one of an earlier release has no uid yet. */
export function isNamespaceOf({ id, uid }: WorkspaceNamespace, { metadata }: KubeObject): boolean {
  const found = metadata.annotations?.[annotations.workspaceUid] ?? uid;
  return metadata.labels?.[labels.workspaceNamespace] === id && found === uid;
}
