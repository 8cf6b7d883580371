import type { InvitationResource } from '../../../../core/api/resources/accountResources.ts';
import { parseRfc3339 } from '../../../../core/lib/clock.ts';
import { doubledMs } from '../../../../core/lib/work/backoff.ts';
import { invitationState } from '../../mapping.ts';

/** About six hours. */
export const maxAttempts = 12;
const backoff = { baseMs: 30_000, maxMs: 3_600_000 };
/** A replica that has not said by then what came of it has died. */
const leaseMs = 120_000;

/** When an invitation is to be mailed, in milliseconds since the epoch; infinity for never. */
export function dueAtMs(invitation: InvitationResource, nowMs: number): number {
  const { spec, status } = invitation;
  if (!spec.isMailed || invitationState(invitation, nowMs) !== 'Pending') return Number.POSITIVE_INFINITY;
  const { state, attempts = 0, updatedAt } = status?.delivery ?? {};
  const sinceMs = parseRfc3339(updatedAt) ?? 0;
  if (state === undefined || state === 'Pending') return 0;
  if (state === 'Sending') return sinceMs + leaseMs;
  if (state === 'Retrying') return sinceMs + doubledMs(attempts, backoff);
  return Number.POSITIVE_INFINITY;
}
