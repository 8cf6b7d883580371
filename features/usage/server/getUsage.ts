import type { Handler } from '../../../apiserver/http/pipeline/handler.ts';
import { forCaller, type Store } from '../../../apiserver/store/kubeErrors.ts';
import { storedKinds } from '../../../core/api/resources/records/storedBytes.ts';
import { type UsageDay, usageRecordName } from '../../../core/api/resources/records/usageRecord.ts';
import { usageRecordType } from '../../../core/api/resources/resources.ts';
import { type Clock, toRfc3339 } from '../../../core/lib/clock.ts';
import type { Holding } from '../../../core/storage/budget.ts';
import type { DailyUsage, StoredData } from '../api/usage.ts';
import { addToDay, dayOf, noUsage, type UsageCounts } from '../core/days.ts';
import { type BudgetDeps, budgetsOf } from './budgets.ts';

export interface UsageDeps extends BudgetDeps {
  kube: Pick<Store, 'get' | 'list'>;
  /** What this process has counted and not stored yet. */
  pendingOf(namespace: string): UsageCounts;
  clock: Clock;
}

const dayMs = 24 * 3600 * 1000;

/** What the workspace used in the last days, and what it has of its budgets. */
export function getUsage(deps: UsageDeps): Handler<'getUsage'> {
  return async ({ principal, query }) => {
    const { namespace, workspaceId } = principal;
    const nowMs = deps.clock.nowMs();
    const place = { namespace, name: usageRecordName };
    const [record, budgets] = await Promise.all([
      forCaller(deps.kube.get(usageRecordType, place)),
      budgetsOf(deps, principal),
    ]);
    const known = addToDay(record?.spec.days ?? [], dayOf(nowMs), deps.pendingOf(namespace));
    const networks = deps.kinds.networks.cache.inNamespace(namespace);
    return {
      body: {
        kind: 'Usage',
        version: 'v1alpha1',
        workspaceID: workspaceId,
        asOf: toRfc3339(nowMs),
        runningNetworks: networks.filter(({ status }) => status?.state === 'Operational').length,
        days: lastDays(known, nowMs, query.days),
        budgets,
        stored: storedOf(deps.storage.usedIn(namespace)),
      },
    };
  };
}

/** What is stored, the kind that takes most first. */
function storedOf({ kinds }: Holding): StoredData[] {
  return storedKinds
    .flatMap((kind) => (kinds[kind] ? [{ kind, bytes: kinds[kind] }] : []))
    .sort((one, other) => other.bytes - one.bytes);
}

/** The last days, those without any use included. */
function lastDays(known: readonly UsageDay[], nowMs: number, count: number): DailyUsage[] {
  const byDay = new Map(known.map((one) => [one.day, one]));
  return Array.from({ length: count }, (_, index) => {
    const day = dayOf(nowMs - (count - 1 - index) * dayMs);
    const { networkSeconds, rpcCalls, transactions } = byDay.get(day) ?? noUsage;
    return { day, networkHours: Math.round(networkSeconds / 3.6) / 1000, rpcCalls, transactions };
  });
}
