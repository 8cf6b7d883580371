import type { Condition } from '../../../core/api/common.ts';
import { annotations } from '../../../core/api/names.ts';
import type { NetworkState } from '../../../core/api/resources/network.ts';
import { toRfc3339 } from '../../../core/lib/clock.ts';
import { compact } from '../../../core/lib/compact.ts';
import type { DesiredStatus, LifecycleFacts } from '../lifecycle/context.ts';
import { type Progress, renderProgress } from './progress.ts';

/** The condition of a network that asks to be persistent: whether it has a place in its workspace's quota. */
export const persistentCondition = 'Persistent';

/** What the status has to say. */
export interface Verdict {
  state: NetworkState;
  /** Of the condition Ready. */
  reason: string;
  message: string;
  /** How far provisioning is; undefined: as it was. */
  progress?: Progress;
  /** Fields that change; undefined removes one. All others stay as they are. */
  writes?: DesiredStatus;
}

/** The whole status of a network: what it said before, changed by the verdict. */
export function renderStatus(facts: LifecycleFacts, verdict: Verdict): DesiredStatus {
  const { metadata, spec, status } = facts.network;
  const { lastActivityAt: _ownedByOthers, ...before } = status ?? {};
  const wake = metadata.annotations?.[annotations.wake];
  const { state, message, progress, writes } = verdict;
  return {
    observedMaintenanceNonce: 0,
    ...before,
    ...compact({ observedWake: wake }),
    ...(progress ? { execution: renderProgress(spec.chain.type, { ...progress, state, message }) } : {}),
    ...writes,
    ...{ state, message },
    observedGeneration: metadata.generation ?? 0,
    conditions: conditionsOf(facts, verdict),
  };
}

type News = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

function conditionsOf(facts: LifecycleFacts, { state, reason, message }: Verdict): Condition[] {
  const status = state === 'Operational' ? 'True' : 'False';
  const ready: News = { type: 'Ready', status, reason, message };
  return [ready, ...persistenceOf(facts)].map((news) => conditionOf(facts, news));
}

/** Whether a network that asks to be persistent is. */
function persistenceOf({ network, quotaRefusal }: LifecycleFacts): News[] {
  if (!network.spec.persistent) return [];
  const type = persistentCondition;
  if (quotaRefusal !== undefined) {
    return [{ type, status: 'False', reason: 'QuotaExceeded', message: quotaRefusal }];
  }
  const message = 'has a place in the quota of persistent networks';
  return [{ type, status: 'True', reason: 'WithinQuota', message }];
}

/** The time of a condition changes with its status alone. */
function conditionOf({ network, nowMs }: LifecycleFacts, news: News): Condition {
  const before = network.status?.conditions?.find(({ type }) => type === news.type);
  const lastTransitionTime = before?.status === news.status ? before.lastTransitionTime : toRfc3339(nowMs);
  return { ...news, observedGeneration: network.metadata.generation ?? 0, lastTransitionTime };
}
