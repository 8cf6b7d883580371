import { apiVersion } from '../../../core/api/names.ts';
import {
  type UsageRecordResource,
  usageRecordName,
} from '../../../core/api/resources/records/usageRecord.ts';
import { usageRecordType } from '../../../core/api/resources/resources.ts';
import type { Kube } from '../../../core/kube/kube.ts';
import { retryOnConflict } from '../../../core/kube/retryOnConflict.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { isAppError, messageOf } from '../../../core/lib/errors.ts';
import type { Log } from '../../../core/lib/log.ts';
import { inParallel } from '../../../core/lib/work/inParallel.ts';
import { workEvery } from '../../../core/lib/work/workEvery.ts';
import { addToDay, dayOf, noUsage, sumOf, type UsageCounts } from './days.ts';

export const usageIntervalMs = 60_000;
/** Writes at the same time. */
const parallelWrites = 4;
/** Other replicas write the same object. */
const maxAttempts = 8;

export interface UsageLedgerDeps {
  kube: Pick<Kube, 'get' | 'create' | 'replace'>;
  clock: Clock;
  log: Log;
}

/** Counts what workspaces use, and adds it to their records. */
export interface UsageLedger {
  /** Adds in memory only. */
  add(namespace: string, counts: Partial<UsageCounts>): void;
  /** What this process has counted and not written yet. */
  pendingOf(namespace: string): UsageCounts;
  /** Writes what was counted. Never rejects: what could not be written is kept for the next time. */
  flush(): Promise<void>;
  /** Writes once a minute until the signal aborts, and a last time then. */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * Each process keeps its own counts and adds them to the record of the workspace once a minute, so that counting costs no
 * write. A process that is killed loses what it counted since: at most a minute. An addition whose answer is lost may be
 * written twice.
 */
export function createUsageLedger({ kube, clock, log }: UsageLedgerDeps): UsageLedger {
  let pending = new Map<string, UsageCounts>();

  function add(namespace: string, counts: Partial<UsageCounts>): void {
    pending.set(namespace, sumOf(pending.get(namespace) ?? noUsage, counts));
  }

  async function write(addition: Addition): Promise<void> {
    const { namespace, counts } = addition;
    try {
      await addToRecord(kube, addition);
    } catch (error) {
      // A namespace that is deleted takes its record along.
      if (isAppError(error, 'NotFound') || isAppError(error, 'Forbidden')) return;
      add(namespace, counts);
      log.warn('cannot record usage; will retry', { namespace, reason: messageOf(error) });
    }
  }

  async function flush(): Promise<void> {
    const counted = pending;
    pending = new Map();
    const day = dayOf(clock.nowMs());
    await inParallel(counted, parallelWrites, ([namespace, counts]) => write({ namespace, day, counts }));
  }

  return {
    add,
    pendingOf: (namespace) => pending.get(namespace) ?? noUsage,
    flush,
    run: (signal) => workEvery({ clock, intervalMs: usageIntervalMs, signal }, flush),
  };
}

interface Addition {
  namespace: string;
  day: string;
  counts: UsageCounts;
}

async function addToRecord(
  kube: UsageLedgerDeps['kube'],
  { namespace, day, counts }: Addition,
): Promise<void> {
  const metadata = { name: usageRecordName, namespace };
  await retryOnConflict({ attempts: maxAttempts }, async () => {
    const found = await kube.get(usageRecordType, metadata);
    const spec = { days: addToDay(found?.spec.days ?? [], day, counts) };
    const fresh: UsageRecordResource = { apiVersion, kind: 'UsageRecord', metadata, spec };
    await (found ? kube.replace(usageRecordType, { ...found, spec }) : kube.create(usageRecordType, fresh));
  });
}
