import { namespaceOf } from '../../core/accounts/ids.ts';
import { newPersonalWorkspace, personalWorkspaceOf } from '../../core/accounts/objects.ts';
import { adminUserId, defaultKeyName, labels } from '../../core/api/names.ts';
import type { UserResource, WorkspaceResource } from '../../core/api/resources/accountResources.ts';
import { membershipType, userType, workspaceType } from '../../core/api/resources/resources.ts';
import { createOrFind } from '../../core/kube/createOrFind.ts';
import type { Stored } from '../../core/kube/kube.ts';
import type { ResolvedReference } from '../network/decide/facts.ts';
import type { ReconcileResult } from '../runtime/controller.ts';
import { memberPatch, type Readiness, readyCondition } from '../runtime/status.ts';
import { makeDefaultKey } from './defaultKey.ts';
import type { UserDeps } from './deps.ts';

/** To replace a key, its user first deletes the old one. No new key is generated in this period. */
const replaceMs = 60_000;

/** Reconciles users; the key is the user's id. */
export function createUserReconcile(deps: UserDeps) {
  /** Since when a deleted key has been missing, by user. Losing this costs one more minute. */
  const missingSince = new Map<string, number>();

  /** How long to wait before a new key is generated, in ms. */
  function regenerationDelay(id: string, isGenerated: boolean): number {
    if (!isGenerated) return 0;
    const nowMs = deps.clock.nowMs();
    const sinceMs = missingSince.get(id) ?? nowMs;
    missingSince.set(id, sinceMs);
    return sinceMs + replaceMs - nowMs;
  }

  return async function reconcile(id: string): Promise<ReconcileResult> {
    const user = deps.caches.users.get({ namespace: deps.serviceNamespace, name: id });
    if (!user || user.metadata.deletionTimestamp) {
      missingSince.delete(id);
      await removeMemberships(deps, id);
      return { state: 'Gone' };
    }
    const workspace = await personalWorkspace(deps, user);
    if (!workspace) return report(deps, user, { readiness: noWorkspace });
    const place = { namespace: namespaceOfPersonal(deps, user), name: defaultKeyName };
    if (deps.secrets.get(place)) {
      missingSince.delete(id);
      return report(deps, user, keyOf(deps, user, place));
    }
    if (!isReady(workspace)) return report(deps, user, { readiness: waiting });
    const delayMs = regenerationDelay(id, user.status?.defaultKeyGenerated === true);
    if (delayMs > 0)
      return { ...(await report(deps, user, keyOf(deps, user, place))), requeueAfterMs: delayMs };
    missingSince.delete(id);
    await makeDefaultKey(deps, user, { place, workspaceId: workspace.metadata.name });
    return report(deps, user, keyOf(deps, user, place));
  };
}

/** The account's personal workspace; undefined if the workspace with its name belongs to somebody else. */
async function personalWorkspace(
  deps: UserDeps,
  user: Stored<UserResource>,
): Promise<Stored<WorkspaceResource> | undefined> {
  const { kube, caches, installation } = deps;
  const { name: id, namespace } = user.metadata;
  const ref = { namespace, name: personalWorkspaceOf(user) };
  const found = caches.workspaces.get(ref);
  const isDefault = ref.name === installation.defaultWorkspace.id;
  if (isDefault) return id === adminUserId ? found : undefined;
  const workspace = found ?? (await createOrFind(kube, workspaceType, newPersonalWorkspace(user))).object;
  return workspace.spec.personalFor === id ? workspace : undefined;
}

/** Whether the operator has created the namespace and its network policies. */
function isReady({ status }: Stored<WorkspaceResource>): boolean {
  return status?.conditions?.some(({ type, status: state }) => type === 'Ready' && state === 'True') === true;
}

function namespaceOfPersonal({ installation }: Pick<UserDeps, 'installation'>, user: UserResource): string {
  return namespaceOf(personalWorkspaceOf(user), installation.defaultWorkspace);
}

interface UserReport {
  readiness: Readiness;
  address?: string | undefined;
  isGenerated?: boolean;
}

const noWorkspace: Readiness = {
  isReady: false,
  reason: 'NoWorkspace',
  message:
    "spec.personalWorkspace: this workspace does not belong to this account; set it to the account's own",
};
const waiting: Readiness = {
  isReady: false,
  reason: 'WorkspaceNotReady',
  message: 'the personal workspace is being created',
};

const missing: ResolvedReference = {
  kind: 'missing',
  message: `the personal workspace has no secret "${defaultKeyName}" owned by this account: create one`,
};

/** The state of the secret `default-key`, which the user may have replaced or deleted. */
function keyOf(
  deps: UserDeps,
  user: Stored<UserResource>,
  place: { namespace: string; name: string },
): UserReport {
  const secret = deps.secrets.get(place);
  const isOwn = secret?.metadata.labels?.[labels.owner] === user.metadata.name;
  const resolved = isOwn ? deps.references.hotKey(secret, place.name, 'evm') : missing;
  const isGenerated = true;
  if (resolved.kind === 'addresses') {
    const readiness = { isReady: true, reason: 'Ready', message: 'the account is ready to use' };
    return { readiness, isGenerated, address: resolved.addresses[0] };
  }
  const readiness = { isReady: false, reason: 'NoDefaultKey', message: resolved.message };
  return { readiness, isGenerated };
}

async function report(
  { kube, clock }: UserDeps,
  user: Stored<UserResource>,
  { readiness, address, isGenerated = false }: UserReport,
): Promise<ReconcileResult> {
  const patch = memberPatch(user.status, {
    address,
    ...(isGenerated ? { defaultKeyGenerated: true } : {}),
    observedGeneration: user.metadata.generation,
    conditions: [readyCondition(user, readiness, clock.nowMs())],
  });
  if (patch) await kube.patch(userType, user.metadata, { status: patch }, 'status');
  return { state: readiness.reason };
}

/** Deletes the memberships of a deleted account, and with them its API keys. */
async function removeMemberships({ kube, caches, serviceNamespace }: UserDeps, id: string): Promise<void> {
  const memberships = caches.memberships.byIndex('user', id);
  if (memberships.length === 0) return;
  const live = await kube.get(userType, { namespace: serviceNamespace, name: id });
  if (live && !live.metadata.deletionTimestamp) return;
  for (const { metadata } of memberships) await kube.delete(membershipType, metadata, { uid: metadata.uid });
}
