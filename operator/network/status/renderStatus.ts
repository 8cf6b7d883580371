import type { Condition } from '../../../core/api/common.ts';
import { originOf } from '../../../core/api/ids.ts';
import { annotations } from '../../../core/api/names.ts';
import type { NetworkState } from '../../../core/api/resources/networkStatus.ts';
import { persistentCondition } from '../../../core/api/rules/persistentQuota.ts';
import { pluginsOf } from '../../../core/api/rules/plugins.ts';
import { compact } from '../../../core/lib/compact.ts';
import { rotatedAccessKeys } from '../../../core/networks/accessEpochs.ts';
import { pluginConditionOf } from '../../../core/plugins/status.ts';
import { conditionOf, transitionTime } from '../../runtime/status.ts';
import type { DesiredStatus, LifecycleFacts } from '../lifecycle/context.ts';
import { expirationOf, expiringCondition } from '../lifecycle/expiry.ts';
import { type Progress, renderProgress } from './progress.ts';

/** What to report in the status. */
export interface Verdict {
  state: NetworkState;
  /** Reason of the Ready condition. */
  reason: string;
  message: string;
  /** Progress of provisioning; undefined leaves it unchanged. */
  progress?: Progress;
  /** Fields to change; undefined removes a field. All others stay unchanged. */
  writes?: DesiredStatus;
}

/** The complete status of a network: the previous one, updated with the verdict. */
export function renderStatus(facts: LifecycleFacts, verdict: Verdict): DesiredStatus {
  const { metadata, spec, status } = facts.network;
  const { lastActivityAt: _ownedByOthers, ...before } = status ?? {};
  const { [annotations.wake]: wake, [annotations.stop]: stop } = metadata.annotations ?? {};
  const { state, reason, message, progress, writes } = verdict;
  return {
    observedMaintenanceNonce: 0,
    ...before,
    accessKeys: rotatedAccessKeys(facts.network, facts.keptKeys),
    origin: originOf(facts.network),
    expiresAt: expirationOf(facts)?.at,
    ...compact({ observedWake: wake, observedStop: stop }),
    ...(progress ? { execution: renderProgress(spec.chain.type, { ...progress, state, message }) } : {}),
    ...writes,
    state,
    message,
    // A condition must have a reason, and then repeats the state.
    reason: reason === state ? undefined : reason,
    observedGeneration: writes?.observedGeneration ?? metadata.generation ?? 0,
    conditions: conditionsOf(facts, verdict),
  };
}

type ConditionUpdate = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

function conditionsOf(facts: LifecycleFacts, { state, reason, message, writes }: Verdict): Condition[] {
  const status = state === 'Operational' ? 'True' : 'False';
  const ready: ConditionUpdate = { type: 'Ready', status, reason, message };
  const storage = writes?.storage ?? facts.network.status?.storage;
  return [ready, ...persistenceOf(facts, storage), ...expirationIn(facts), ...pluginsIn(facts)].map(
    (update) => withTransition(facts, update),
  );
}

/** A pod is never changed, so a network that became persistent keeps its data where it is. */
const notYetOnVolume =
  'the present chain is in its pod and is lost with it; after a ResetState, the next one is on a volume';

/** The Persistent condition, if the spec requests persistence. */
function persistenceOf(
  { network, quotaRefusal }: LifecycleFacts,
  storage: DesiredStatus['storage'],
): ConditionUpdate[] {
  if (!network.spec.persistent) return [];
  const type = persistentCondition;
  if (quotaRefusal !== undefined) {
    return [{ type, status: 'False', reason: 'QuotaExceeded', message: quotaRefusal }];
  }
  const granted = 'within the quota of persistent networks';
  const message = storage === 'Pod' ? `${granted}; ${notYetOnVolume}` : granted;
  return [{ type, status: 'True', reason: 'WithinQuota', message }];
}

/** The Expiring condition, shortly before the network is deleted. */
function expirationIn(facts: LifecycleFacts): ConditionUpdate[] {
  const expiration = expirationOf(facts);
  if (!expiration?.isAnnounced) return [];
  const remedy = 'set a longer spec.expiresAfter to keep it';
  const message = `the network is deleted with its data at ${expiration.at}: ${remedy}`;
  return [{ type: expiringCondition, status: 'True', reason: 'ExpiresSoon', message }];
}

/** One condition for each plugin of the spec. What status.plugins says of it comes from the controller of plugins. */
function pluginsIn({ network: { spec, status } }: LifecycleFacts): ConditionUpdate[] {
  return pluginsOf(spec.chain).map(({ name }) => {
    const { state = 'Pending', message = 'waiting for the network' } = status?.plugins?.[name] ?? {};
    return pluginConditionOf(name, { state, message });
  });
}

function withTransition({ network, nowMs }: LifecycleFacts, update: ConditionUpdate): Condition {
  const former = conditionOf(network.status, update.type);
  return {
    ...update,
    observedGeneration: network.metadata.generation ?? 0,
    lastTransitionTime: transitionTime(former, update.status, nowMs),
  };
}
