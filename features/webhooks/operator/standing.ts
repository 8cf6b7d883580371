import { isKnownPattern } from '../../../core/api/events/eventTypes.ts';
import { annotations } from '../../../core/api/names.ts';
import { toRfc3339 } from '../../../core/lib/clock.ts';
import { compact } from '../../../core/lib/compact.ts';
import { messageOf } from '../../../core/lib/errors.ts';
import type { WebhookStatus } from '../api/webhook.ts';
import { openSigningKeys } from '../core/signingSecrets.ts';
import { refuseTarget } from '../core/target.ts';
import type { Webhook, WebhookDeps } from './deps.ts';
import type { WebhookQueue } from './queues.ts';

/** Whether anything is sent to a webhook, and why not. */
export interface Standing extends Pick<WebhookStatus, 'pauseReason' | 'pausedAt'> {
  state: NonNullable<WebhookStatus['state']>;
  /** A CamelCase word. */
  reason: string;
  message: string;
}

/** The value of the annotation with which a user asks to resume, unless it was obeyed already. */
function resumeRequest({ metadata, status }: Webhook): string | undefined {
  const value = metadata.annotations?.[annotations.resume];
  return value === status?.resumed ? undefined : value;
}

/** Whether a pause ends now: then the receiver begins again, and what it failed before the pause does not count. */
export function isPauseOver(webhook: Webhook): boolean {
  const { state, pauseReason } = webhook.status ?? {};
  if (state !== 'Paused') return false;
  return resumeRequest(webhook) !== undefined || (pauseReason === 'Requested' && !webhook.spec.paused);
}

type Deps = Pick<WebhookDeps, 'caches' | 'sealer' | 'deliveries' | 'clock'>;

/** What is observed of a webhook. A pause that is stored stays until it is resumed. */
export function standingOf(deps: Deps, webhook: Webhook, queue: WebhookQueue): Standing {
  const refusal = refusalOf(deps, webhook);
  if (refusal !== undefined) return { state: 'Error', reason: 'NotUsable', message: refusal };
  const pauseReason = pauseOf(webhook, queue);
  if (pauseReason === undefined) {
    const isFailing = queue.failingSinceMs !== undefined;
    if (!isFailing) return activeWith(webhook.spec.types?.find((pattern) => !isKnownPattern(pattern)));
    const message = `the last attempts failed, since ${toRfc3339(queue.failingSinceMs ?? 0)}: see the log of its deliveries`;
    return { state: 'Active', reason: 'Failing', message };
  }
  const pausedAt = webhook.status?.pausedAt ?? toRfc3339(deps.clock.nowMs());
  return { state: 'Paused', reason: pauseReason, message: pauseMessages[pauseReason], pauseReason, pausedAt };
}

/** kubectl takes types that no event has. */
function activeWith(unknownType: string | undefined): Standing {
  const message = 'events are sent as they happen';
  if (unknownType === undefined) return { state: 'Active', reason: 'Active', message };
  const caveat = `${unknownType} in spec.types selects no type of event (docs/events.md lists them)`;
  return { state: 'Active', reason: 'UnknownType', message: `${message}, but ${caveat}` };
}

type PauseReason = NonNullable<WebhookStatus['pauseReason']>;

const pauseMessages: Record<PauseReason, string> = {
  Requested: 'spec.paused is true: events are kept for a day',
  Failing:
    'every attempt of a day failed: correct the receiver, then resume it (POST …/resume, or the annotation slipway.dev/resume)',
  Gone: 'the receiver answered 410: it wants no more events; resume it if that was a mistake (POST …/resume, or the annotation slipway.dev/resume)',
};

function pauseOf(webhook: Webhook, queue: WebhookQueue): PauseReason | undefined {
  if (webhook.spec.paused) return 'Requested';
  if (queue.verdict !== undefined) return queue.verdict;
  const { pauseReason } = webhook.status ?? {};
  const isKept = pauseReason !== 'Requested' && resumeRequest(webhook) === undefined;
  return isKept ? pauseReason : undefined;
}

function refusalOf({ caches, sealer, deliveries, clock }: Deps, webhook: Webhook): string | undefined {
  const refusal = refuseTarget(webhook.spec.url, deliveries);
  if (refusal !== undefined) return `spec.url ${refusal}`;
  const { namespace } = webhook.metadata;
  const find = (name: string) => caches.secrets.get({ namespace, name });
  try {
    for (const key of openSigningKeys(sealer, webhook, { find, nowMs: clock.nowMs() })) key.fill(0);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** The numbers of a queue for the status. */
export function numbersOf({ lane, failingSinceMs, lastDeliveredMs }: WebhookQueue) {
  const time = (ms: number | undefined) => (ms === undefined ? undefined : toRfc3339(ms));
  return {
    pending: lane.size(),
    ...compact({ failingSince: time(failingSinceMs), lastDeliveredAt: time(lastDeliveredMs) }),
  };
}
