import { randomBytes } from 'node:crypto';
import { namespaceOf } from '../../core/accounts/ids.ts';
import type { Keyring } from '../../core/accounts/keyring.ts';
import type { Installation } from '../../core/api/installation.ts';
import type { WorkspaceResource } from '../../core/api/resources/accountResources.ts';
import type { Stored } from '../../core/api/resources/kubeObject.ts';
import type { EngineWatch } from '../../core/engines/engineWatch.ts';
import { budgetRefusal } from '../../core/kube/apply/applyFailure.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { namespaceType, type Pod, podType } from '../../core/kube/types.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { isAppError } from '../../core/lib/errors.ts';
import type { Log } from '../../core/lib/log.ts';
import { podStateOf } from '../network/decide/podState.ts';
import type { ReconcileResult } from '../runtime/controller.ts';
import { createWarmModels, type WarmModel } from './models.ts';
import type { Pools } from './pools.ts';
import { planPool } from './size.ts';
import { isCurrent, renderWaitingPod } from './waitingPod.ts';

export interface PoolDeps {
  kube: Pick<Kube, 'get' | 'create' | 'delete'>;
  caches: {
    /** Requires the index `waiting`. */
    pods: Pick<Reflector<Pod>, 'byIndex' | 'list' | 'observe' | 'onChange'>;
    workspaces: Pick<Reflector<WorkspaceResource>, 'get' | 'list' | 'onChange'>;
  };
  installation: Installation;
  engines: Pick<EngineWatch, 'current' | 'onChange'>;
  /** The namespace of accounts and workspaces. */
  serviceNamespace: string;
  keys: { engines: Keyring };
  pools: Pools;
  clock: Clock;
  log: Log;
}

/** Reconciles the pods that wait in a workspace; the key is the workspace's id. */
export function createPoolReconcile(deps: PoolDeps) {
  const { caches, installation, pools, serviceNamespace, clock, log } = deps;
  const { defaultWorkspace, warmEngines: settings } = installation;
  const modelNow = createWarmModels(deps);

  /** The pool of a workspace that is gone, or going, is empty. */
  function settingsOf(id: string) {
    const workspace = caches.workspaces.get({ namespace: serviceNamespace, name: id });
    const isThere = workspace !== undefined && !workspace.metadata.deletionTimestamp;
    return { ...settings, enabled: settings.enabled && isThere };
  }

  return async function reconcile(id: string): Promise<ReconcileResult> {
    const model = modelNow();
    if (!model) return { state: 'Off' };
    const namespace = namespaceOf(id, defaultWorkspace);
    const pods = caches.pods
      .byIndex('waiting', namespace)
      .filter(({ metadata }) => !metadata.deletionTimestamp);
    const nowMs = clock.nowMs();
    const problem = pods.map(problemOf).find((message) => message !== undefined);
    if (problem !== undefined) {
      log.warn('no engines wait in this workspace for ten minutes', { namespace, problem });
      pools.pause(namespace, nowMs);
    }
    const { create, remove, nextMs } = planPool({
      settings: settingsOf(id),
      isDefaultWorkspace: id === defaultWorkspace.id,
      pods,
      nowMs,
      uses: pools.usesOf(namespace),
      pausedUntilMs: pools.pausedUntilMs(namespace),
      isCurrent: (pod) => isCurrent(pod, model, deps.keys.engines),
    });
    for (const pod of remove) await removePod(deps, pod);
    if (create > 0) await createPods(deps, { namespace, model, count: create });
    return { state: `${pods.length + create - remove.length} waiting`, requeueAfterMs: nextMs };
  };
}

/** Why a pod is of no use: no node has room for it, and none must be added for it, or its image cannot run. */
function problemOf(pod: Pod): string | undefined {
  const { phase, message } = podStateOf(pod);
  return phase === 'unscheduled' || phase === 'failed' ? message : undefined;
}

/** Not a pod that a network adopts at the same time. */
async function removePod({ kube, pools }: PoolDeps, pod: Stored<Pod>): Promise<void> {
  if (!pools.take(pod)) return;
  const { uid, resourceVersion } = pod.metadata;
  try {
    await kube.delete(podType, pod.metadata, { uid, resourceVersion });
  } catch (error) {
    pools.leave(pod);
    // Changed meanwhile, which is a reason to come back.
    if (!isAppError(error, 'Conflict')) throw error;
  }
}

interface NewPods {
  namespace: string;
  model: WarmModel;
  count: number;
}

async function createPods(deps: PoolDeps, { namespace, model, count }: NewPods): Promise<void> {
  const { kube, caches, pools, clock, log } = deps;
  const owner = await kube.get(namespaceType, { name: namespace });
  if (!owner || owner.metadata.deletionTimestamp) return;
  for (let made = 0; made < count; made += 1) {
    const name = `engine-${randomBytes(8).toString('hex')}`;
    try {
      const pod = renderWaitingPod({ model, name, owner, keys: deps.keys.engines });
      caches.pods.observe(await kube.create(podType, pod));
    } catch (error) {
      const refusal = budgetRefusal(error);
      if (refusal === undefined) throw error;
      log.debug('no room for engines that wait', { namespace, refusal });
      pools.pause(namespace, clock.nowMs());
      return;
    }
  }
}
