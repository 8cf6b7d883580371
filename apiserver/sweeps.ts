import { labels } from '../core/api/names.ts';
import type { InvitationResource } from '../core/api/resources/accountResources.ts';
import type { KubeObject, ResourceType } from '../core/api/resources/kubeObject.ts';
import type { ReplayResource } from '../core/api/resources/replayResource.ts';
import { idempotencyRecordType, invitationType, replayType } from '../core/api/resources/resources.ts';
import { listPages } from '../core/kube/pages.ts';
import { type Clock, parseRfc3339 } from '../core/lib/clock.ts';
import { messageOf } from '../core/lib/errors.ts';
import type { Log } from '../core/lib/log.ts';
import { isOver } from '../core/replays/runs.ts';
import { type Background, createBackground } from './background.ts';
import type { Store } from './store/kubeErrors.ts';
import { hasEnded, keptDays } from './workspaces/invitations/budget.ts';

/** How long an Idempotency-Key is remembered. Afterwards nobody can ask for the outcome of a replay again either. */
const dayMs = 24 * 3600 * 1000;
export const hourMs = 3600 * 1000;
const pageSize = 500;

/** Which objects are deleted when they are old. */
export interface Swept<T extends KubeObject = KubeObject> {
  type: ResourceType<T>;
  /** A day if absent. */
  lifetimeMs?: number;
  /** When its lifetime begins; when it was created if absent or unknown. */
  beginOf?(object: T): string | undefined;
  /** Which of the old ones; all if absent. */
  isOver?(object: T, nowMs: number): boolean;
  /** In the log. */
  what: string;
  where: { namespace?: string; labelSelector?: string };
}

export const sweptRecords = (namespace: string): Swept => ({
  type: idempotencyRecordType,
  what: 'idempotency records',
  where: { namespace },
});

/** Those that nobody can accept any more. */
export const sweptInvitations = (namespace: string): Swept<InvitationResource> => ({
  type: invitationType,
  lifetimeMs: keptDays * dayMs,
  isOver: hasEnded,
  what: 'invitations',
  where: { namespace },
});

/** Those that nobody performs any more. Kubernetes deletes their rows. */
export const sweptReplays: Swept<ReplayResource> = {
  type: replayType,
  beginOf: ({ spec }) => spec.endedAt,
  isOver: (run) => run.spec.order === undefined || isOver(run),
  what: 'replays',
  where: { labelSelector: `${labels.role}=run` },
};

/** Deletes the objects that are too old by the cluster's time. */
export async function sweepOnce<T extends KubeObject>(
  kube: Pick<Store, 'list' | 'delete' | 'serverTimeMs'>,
  { type, where, lifetimeMs = dayMs, beginOf, isOver: mayGo }: Swept<T>,
): Promise<void> {
  const nowMs = await kube.serverTimeMs();
  const options = { ...where, isMetadataOnly: mayGo === undefined, limit: pageSize };
  for await (const { items } of listPages(kube, type, options)) {
    for (const object of items) {
      const { metadata } = object;
      const begin = parseRfc3339(beginOf?.(object) ?? metadata.creationTimestamp);
      const ageMs = nowMs - (begin ?? nowMs);
      if (ageMs <= lifetimeMs || mayGo?.(object, nowMs) === false) continue;
      await kube.delete(type, metadata, { uid: metadata.uid, propagationPolicy: 'Background' });
    }
  }
}

interface HourlyDeps {
  clock: Clock;
  log: Log;
}

interface SweepDeps extends HourlyDeps {
  kube: Pick<Store, 'list' | 'delete' | 'serverTimeMs'>;
}

/** Sweeps once an hour. */
export function createSweep<T extends KubeObject>({ kube, ...deps }: SweepDeps, swept: Swept<T>): Background {
  return createHourly(deps, `delete old ${swept.what}`, () => sweepOnce(kube, swept));
}

/** Does something when a replica starts, and once an hour. Replicas may do it concurrently. `what`: in the log. */
export function createHourly(
  { clock, log }: HourlyDeps,
  what: string,
  work: () => Promise<void>,
): Background {
  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await work().catch((error: unknown) =>
        log.warn(`cannot ${what}; will retry`, { reason: messageOf(error) }),
      );
      await clock.sleep(hourMs, signal).catch(() => undefined);
    }
  }

  return createBackground(run);
}
