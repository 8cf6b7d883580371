import { labels } from '../../core/api/names.ts';
import type {
  MembershipResource,
  UserResource,
  WorkspaceResource,
} from '../../core/api/resources/accountResources.ts';
import type { KubeObject } from '../../core/api/resources/kubeObject.ts';
import { membershipType, userType, workspaceType } from '../../core/api/resources/resources.ts';
import { createReflector, type Reflector } from '../../core/kube/cache/reflector.ts';
import type { Kube } from '../../core/kube/kube.ts';
import type { KubeMetrics } from '../../core/kube/metrics.ts';
import { type Namespace, namespaceType } from '../../core/kube/types.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { stableJson } from '../../core/lib/hash.ts';
import type { Log } from '../../core/lib/log.ts';
import { stopAll } from '../../core/lib/work/stopAll.ts';
import {
  type LimitRange,
  limitRangeType,
  type NetworkPolicy,
  networkPolicyType,
  type ResourceQuota,
  type RoleBinding,
  resourceQuotaType,
  roleBindingType,
} from './kinds.ts';

/** The caches for accounts. The operator does not watch API keys. */
export interface AccountCaches {
  workspaces: Reflector<WorkspaceResource>;
  users: Reflector<UserResource>;
  memberships: Reflector<MembershipResource>;
  namespaces: Reflector<Namespace>;
  networkPolicies: Reflector<NetworkPolicy>;
  roleBindings: Reflector<RoleBinding>;
  resourceQuotas: Reflector<ResourceQuota>;
  limitRanges: Reflector<LimitRange>;
}

interface CacheDeps {
  kube: Kube;
  clock: Clock;
  log: Log;
  kubeMetrics: KubeMetrics;
}

/** Creates the caches without starting them. Accounts are in `serviceNamespace`; workspace namespaces have a label. */
export function createAccountCaches(deps: CacheDeps, serviceNamespace: string): AccountCaches {
  const own = { ...deps, namespace: serviceNamespace };
  const workspaceNamespaces = {
    ...deps,
    labelSelector: labels.workspaceNamespace,
    indexes: { workspaceNamespace: workspaceNamespaceIndex },
  };
  return {
    workspaces: createReflector({
      ...own,
      type: workspaceType,
      indexes: { owner: ({ spec }) => spec.owners },
    }),
    users: createReflector({ ...own, type: userType }),
    memberships: createReflector({
      ...own,
      type: membershipType,
      indexes: { user: ({ spec }) => [spec.user] },
    }),
    namespaces: createReflector({ ...workspaceNamespaces, type: namespaceType }),
    networkPolicies: createReflector({ ...workspaceNamespaces, type: networkPolicyType }),
    roleBindings: createReflector({ ...workspaceNamespaces, type: roleBindingType }),
    resourceQuotas: createReflector({ ...workspaceNamespaces, type: resourceQuotaType }),
    limitRanges: createReflector({ ...workspaceNamespaces, type: limitRangeType }),
  };
}

function workspaceNamespaceIndex({ metadata }: KubeObject): string[] {
  const id = metadata.labels?.[labels.workspaceNamespace];
  return id === undefined ? [] : [id];
}

/** Ignores changes of the usage, of which there is one for every object that is created in the namespace, once all is counted. */
function addQuotas(quotas: Reflector<ResourceQuota>, add: (id: string) => void): () => void {
  const known = new Map<string, string>();
  return quotas.onChange(({ type, object }) => {
    const { uid, labels: marks } = object.metadata;
    const counted = Object.keys(object.status?.used ?? {});
    const content = type === 'set' ? stableJson([object.spec, marks, counted]) : undefined;
    if (content !== undefined && known.get(uid) === content) return;
    if (content === undefined) known.delete(uid);
    else known.set(uid, content);
    workspaceNamespaceIndex(object).forEach(add);
  });
}

/** Calls `add` with the id of each workspace that a change may affect. Call the returned function to stop. */
export function watchWorkspaceChanges(caches: AccountCaches, add: (id: string) => void): () => void {
  const addWorkspaceNamespace = <T extends KubeObject>(cache: Reflector<T>) =>
    cache.onChange(({ object }) => workspaceNamespaceIndex(object).forEach(add));
  const stops = [
    caches.workspaces.onChange(({ object }) => add(object.metadata.name)),
    caches.memberships.onChange(({ object }) => add(object.spec.workspace)),
    caches.users.onChange(({ object }) => {
      for (const { metadata } of caches.workspaces.byIndex('owner', object.metadata.name)) add(metadata.name);
    }),
    addWorkspaceNamespace(caches.namespaces),
    addWorkspaceNamespace(caches.networkPolicies),
    addWorkspaceNamespace(caches.roleBindings),
    addQuotas(caches.resourceQuotas, add),
    addWorkspaceNamespace(caches.limitRanges),
  ];
  for (const { metadata } of caches.workspaces.list()) add(metadata.name);
  return stopAll(stops);
}
