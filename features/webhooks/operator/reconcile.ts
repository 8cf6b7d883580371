import { randomBytes } from 'node:crypto';
import { annotations as names } from '../../../core/api/names.ts';
import { secretType } from '../../../core/api/resources/resources.ts';
import { isAppError } from '../../../core/lib/errors.ts';
import { cut } from '../../../core/lib/text/foreignText.ts';
import type { ReconcileResult } from '../../../operator/runtime/controller.ts';
import { memberPatch, readyCondition } from '../../../operator/runtime/status.ts';
import { webhookType } from '../api/types.ts';
import { newSigningSecret } from '../core/signature.ts';
import { generatedNameOf, newSecretObject } from '../core/signingSecrets.ts';
import type { Webhook, WebhookDeps } from './deps.ts';
import { hasOwnPosition } from './intake/ownPosition.ts';
import { pendingIn, type Queues } from './queues.ts';
import { removeBatch } from './removeBatch.ts';
import { isPauseOver, numbersOf, type Standing, standingOf } from './standing.ts';

/** How often the log of a webhook is tidied, and its secrets are looked at. */
const lookMs = 600_000;
/** How long a new webhook waits for its secret, which REST and manifests may create after it. */
const secretGraceMs = 5000;
/** How long settled deliveries stay in the log. */
const loggedMs = 72 * 3_600_000;

/** Keeps the status of a webhook current, by its uid. `pump` is called when something may be sent. */
export function createWebhookReconcile(deps: WebhookDeps, queues: Queues, pump: () => void) {
  const { caches } = deps;
  return async function reconcile(uid: string): Promise<ReconcileResult> {
    const [webhook] = caches.webhooks.byIndex('uid', uid);
    if (!webhook || webhook.metadata.deletionTimestamp) {
      queues.forget(uid);
      return { state: 'Gone' };
    }
    await ensureSecret(deps, webhook);
    const queue = queues.of(webhook);
    queue.sinceMs ??= deps.clock.nowMs();
    const graceMs = queue.sinceMs + secretGraceMs - deps.clock.nowMs();
    if (graceMs > 0 && awaitsSecret(caches, webhook)) return { state: 'New', requeueAfterMs: graceMs };
    const isResumed = isPauseOver(webhook);
    if (isResumed) {
      queue.verdict = undefined;
      queue.failingSinceMs = undefined;
      queue.notBeforeMs = 0;
    }
    const standing = standingOf(deps, webhook, queue);
    await report(deps, webhook, { standing, numbers: numbersOf(queue) });
    if (isResumed) queue.lane.hurry(deps.clock.nowMs());
    await removeOldLog(deps, queues, uid);
    pump();
    return { state: standing.state, requeueAfterMs: lookMs };
  };
}

/** Whether the secret of a webhook that nobody has reported on is not there yet. */
function awaitsSecret({ secrets }: WebhookDeps['caches'], { metadata, spec, status }: Webhook): boolean {
  const { namespace } = metadata;
  const { secretRef } = spec;
  return (
    status?.state === undefined &&
    secretRef !== undefined &&
    !secrets.get({ namespace, name: secretRef.name })
  );
}

/** A webhook whose spec names no Secret gets one, once. */
async function ensureSecret({ kube, caches, sealer }: WebhookDeps, webhook: Webhook): Promise<void> {
  const name = generatedNameOf(webhook);
  const { namespace } = webhook.metadata;
  if (webhook.spec.secretRef || caches.secrets.get({ namespace, name })) return;
  const secret = newSigningSecret((_purpose, length) => randomBytes(length));
  try {
    caches.secrets.observe(await kube.create(secretType, newSecretObject(sealer, webhook, { name, secret })));
  } catch (error) {
    if (!isAppError(error, 'Conflict')) throw error;
  }
}

interface Report {
  standing: Standing;
  numbers: ReturnType<typeof numbersOf>;
}

async function report(
  { kube, caches, events, clock }: WebhookDeps,
  webhook: Webhook,
  { standing, numbers }: Report,
) {
  const { state, reason, message, pauseReason, pausedAt } = standing;
  const { namespace, name, uid, resourceVersion, annotations: metadata } = webhook.metadata;
  const { failingSince, lastDeliveredAt = webhook.status?.lastDeliveredAt, pending } = numbers;
  const isReady = state === 'Active';
  const patch = memberPatch(webhook.status, {
    state,
    message: cut(message, 1024),
    pauseReason,
    pausedAt,
    pending,
    failingSince,
    lastDeliveredAt,
    ...(hasOwnPosition(webhook) ? { since: webhook.status?.since ?? resourceVersion, positionOf: uid } : {}),
    resumed: metadata?.[names.resume],
    observedGeneration: webhook.metadata.generation,
    conditions: [readyCondition(webhook, { isReady, reason, message }, clock.nowMs())],
  });
  if (!patch) return;
  const written = await kube.patch(
    webhookType,
    { namespace, name },
    { metadata: { uid }, status: patch },
    'status',
  );
  caches.webhooks.observe(written);
  if (written.status?.state === webhook.status?.state) return;
  const isExpected = isReady || pauseReason === 'Requested';
  events.record(written, {
    type: isExpected ? 'Normal' : 'Warning',
    reason: isReady ? 'Active' : reason,
    message,
  });
}

/** Settled batches of the last days are the log. */
async function removeOldLog({ kube, clock }: WebhookDeps, queues: Queues, uid: string): Promise<void> {
  const before = clock.nowMs() - loggedMs;
  const batches = [...(queues.byUid(uid)?.batches.values() ?? [])];
  for (const batch of batches.filter((one) => one.queuedMs < before && pendingIn(one) === 0)) {
    await removeBatch(kube, queues, batch);
  }
}
