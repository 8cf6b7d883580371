import { type DefaultWorkspace, namespaceOf } from '../../core/accounts/ids.ts';
import { installedIdOf } from '../../core/accounts/keyring.ts';
import { finalizer } from '../../core/api/names.ts';
import type { WorkspaceResource } from '../../core/api/resources/accountResources.ts';
import { workspaceType } from '../../core/api/resources/resources.ts';
import type { Stored } from '../../core/kube/kube.ts';
import type { ReconcileResult } from '../runtime/controller.ts';
import { conditionOf, memberPatch, type Readiness, readyCondition } from '../runtime/status.ts';
import type { WorkspaceDeps } from './deps.ts';
import { ensureObjectBudget, ensurePolicies, makeNamespace } from './ensurePolicies.ts';
import { createObjectBudget } from './objectBudget.ts';
import { ensureOwners } from './owners.ts';
import { createPullSecrets } from './pullSecrets.ts';
import { tearDown } from './tearDown.ts';
import { objectBudgetName, objectBudgetOf, type WorkspaceNamespace } from './workspaceNamespace.ts';

/** How soon to check again while the namespace belongs to somebody else. */
const takenRetryMs = 60_000;
const endingRetryMs = 1_000;

/** Reconciles workspaces; the key is the workspace's id. Every step is idempotent. */
export function createWorkspaceReconcile(deps: WorkspaceDeps) {
  const { caches, installation, serviceNamespace } = deps;
  const { defaultWorkspace } = installation;
  const budgetTurn = createObjectBudget(deps.clock);
  const copyPullSecrets = createPullSecrets(deps);

  /** The budget of custom resources that the namespace should have now. */
  function budgetNow(workspaceNamespace: WorkspaceNamespace) {
    const { id, namespace } = workspaceNamespace;
    const budget = objectBudgetOf(workspaceNamespace);
    if (budget.length === 0) return { objectBudget: [] };
    const found = caches.resourceQuotas
      .byIndex('workspaceNamespace', id)
      .find(({ metadata }) => metadata.name === objectBudgetName && metadata.namespace === namespace);
    const { isWanted, requeueAfterMs } = budgetTurn(namespace, found);
    return { objectBudget: isWanted ? budget : [], requeueAfterMs };
  }

  return async function reconcile(id: string): Promise<ReconcileResult> {
    const workspace = caches.workspaces.get({ namespace: serviceNamespace, name: id });
    if (!workspace) return { state: 'Gone' };
    const workspaceNamespace = workspaceNamespaceOf(workspace, deps, defaultWorkspace);
    if (workspace.metadata.deletionTimestamp) return tearDown(deps, workspace, workspaceNamespace);
    const { objectBudget, requeueAfterMs: budgetMs } = budgetNow(workspaceNamespace);
    if (id === defaultWorkspace.id) {
      await ensureObjectBudget(deps, workspaceNamespace, objectBudget);
      await copyPullSecrets(workspaceNamespace.namespace);
      const reported = await report(deps, workspace, { workspaceNamespace, readiness: ready });
      return { ...reported, requeueAfterMs: budgetMs };
    }
    if (!workspace.metadata.finalizers?.includes(finalizer)) await addFinalizer(deps, workspace);
    const made = await makeNamespace(deps, workspaceNamespace);
    if (made === 'ending' || made === 'taken') {
      const [readiness, requeueAfterMs] =
        made === 'ending' ? [ending, endingRetryMs] : [taken(workspaceNamespace), takenRetryMs];
      return { ...(await report(deps, workspace, { workspaceNamespace, readiness })), requeueAfterMs };
    }
    await ensurePolicies(deps, workspaceNamespace, { namespace: made, objectBudget });
    await copyPullSecrets(workspaceNamespace.namespace);
    const reported = await report(deps, workspace, { workspaceNamespace, readiness: ready });
    return { ...reported, requeueAfterMs: budgetMs };
  };
}

function workspaceNamespaceOf(
  { metadata: { name: id, uid } }: Stored<WorkspaceResource>,
  deps: WorkspaceDeps,
  defaultWorkspace: DefaultWorkspace,
): WorkspaceNamespace {
  const { installation, serviceNamespace } = deps;
  return { id, uid, namespace: namespaceOf(id, defaultWorkspace), installation, serviceNamespace };
}

const ready: Readiness = { isReady: true, reason: 'Ready', message: 'the workspace is ready to use' };
const ending: Readiness = {
  isReady: false,
  reason: 'NamespaceEnding',
  message: 'the previous namespace with this name is still being deleted',
};
const taken = ({ namespace }: WorkspaceNamespace): Readiness => ({
  isReady: false,
  reason: 'NamespaceTaken',
  message: `namespace ${namespace} already exists and does not belong to this workspace: delete it, or create the workspace with another name`,
});

/** Ensures that the namespace is cleaned up, however the workspace is deleted. */
async function addFinalizer({ kube }: WorkspaceDeps, { metadata }: Stored<WorkspaceResource>): Promise<void> {
  const { name, namespace, resourceVersion, finalizers = [] } = metadata;
  const patch = { metadata: { resourceVersion, finalizers: [...finalizers, finalizer] } };
  await kube.patch(workspaceType, { namespace, name }, patch);
}

interface Report {
  workspaceNamespace: WorkspaceNamespace;
  readiness: Readiness;
}

async function report(
  deps: WorkspaceDeps,
  workspace: Stored<WorkspaceResource>,
  { workspaceNamespace, readiness }: Report,
): Promise<ReconcileResult> {
  await ensureOwners(deps, workspace);
  const { metadata, status } = workspace;
  const condition = readyCondition(workspace, readiness, deps.clock.nowMs());
  const former = conditionOf(status, 'Ready');
  const patch = memberPatch(status, {
    namespace: workspaceNamespace.namespace,
    // Its contracts on chains belong to this account, so a newer key does not replace it.
    serviceAccountKey: installedIdOf(deps.serviceAccountKeys, status?.serviceAccountKey),
    observedGeneration: metadata.generation,
    conditions: [condition],
  });
  if (patch) await deps.kube.patch(workspaceType, metadata, { status: patch }, 'status');
  if (former?.reason !== condition.reason) {
    const { isReady, reason, message } = readiness;
    deps.events.record(workspace, { type: isReady ? 'Normal' : 'Warning', reason, message });
  }
  return { state: readiness.reason };
}
