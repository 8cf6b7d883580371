import type { NetworkResource } from '../../../core/api/resources/network.ts';
import { networkType } from '../../../core/api/resources/resources.ts';
import { expiryOf } from '../../../core/api/rules/lifetimes.ts';
import type { EventRecorder } from '../../../core/kube/events/recorder.ts';
import type { Kube, Stored } from '../../../core/kube/kube.ts';
import { parseRfc3339, toRfc3339 } from '../../../core/lib/clock.ts';
import { conditionOf } from '../../runtime/status.ts';
import type { LifecycleFacts } from './context.ts';

/** The condition of a network that is about to be deleted because of spec.expiresAfter. */
export const expiringCondition = 'Expiring';

const minNoticeMs = 60_000;
const maxNoticeMs = 3_600_000;

interface Expiration {
  /** RFC 3339. */
  at: string;
  /** Whether it is announced by the condition and an Event. */
  isAnnounced: boolean;
  /** Whether the network is to be deleted now. It was announced a minute before, even if the spec has just changed. */
  isDue: boolean;
  /** When something changes; undefined once it is due. */
  nextMs?: number;
}

type ExpiryFacts = Pick<LifecycleFacts, 'network' | 'nowMs' | 'installation'>;

export function expirationOf({ network, nowMs, installation }: ExpiryFacts): Expiration | undefined {
  const expiry = expiryOf(network, installation);
  if (!expiry || network.metadata.deletionTimestamp) return undefined;
  const { atMs, lifetimeMs } = expiry;
  const at = toRfc3339(atMs);
  const noticeMs = Math.max(minNoticeMs, Math.min(lifetimeMs / 10, maxNoticeMs));
  if (nowMs < atMs - noticeMs) {
    return { at, isAnnounced: false, isDue: false, nextMs: atMs - noticeMs - nowMs };
  }
  const sinceMs = parseRfc3339(conditionOf(network.status, expiringCondition)?.lastTransitionTime) ?? nowMs;
  const dueMs = Math.max(atMs, sinceMs + minNoticeMs);
  return nowMs < dueMs
    ? { at, isAnnounced: true, isDue: false, nextMs: dueMs - nowMs }
    : { at, isAnnounced: true, isDue: true };
}

interface ExpiryDeps {
  kube: Pick<Kube, 'get' | 'delete'>;
  events: EventRecorder;
}

/** Deletes a network that has expired; the live object decides, and not the cache. */
export async function deleteExpired({ kube, events }: ExpiryDeps, facts: ExpiryFacts): Promise<void> {
  if (!expirationOf(facts)?.isDue) return;
  const { uid } = facts.network.metadata;
  const live: Stored<NetworkResource> | undefined = await kube.get(networkType, facts.network.metadata);
  if (live?.metadata.uid !== uid || !expirationOf({ ...facts, network: live })?.isDue) return;
  const message = `deleted with its data, ${live.spec.expiresAfter} after its creation (spec.expiresAfter)`;
  events.record(live, { type: 'Normal', reason: 'Expired', message });
  const { resourceVersion } = live.metadata;
  await kube.delete(networkType, live.metadata, { uid, resourceVersion });
}
