import { findById, idKey, idOf, keepsId } from '../../../core/api/ids.ts';
import type { SecretResource } from '../../../core/api/resources/secret.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { stopAll } from '../../../core/lib/work/stopAll.ts';
import type { Controller } from '../../../operator/runtime/controller.ts';
import {
  type ControllerSettings,
  defineController,
  joinControllers,
  type Keys,
} from '../../../operator/runtime/defineController.ts';
import { secretNameOf } from '../core/signingSecrets.ts';
import { createReadBodies } from './bodies.ts';
import type { Batch, Webhook, WebhookDeps } from './deps.ts';
import { createEnqueue } from './enqueue.ts';
import { createIntake } from './intake/intake.ts';
import { createOutcomes } from './outcomes.ts';
import { createQueues, type Queues, type WebhookQueue } from './queues.ts';
import { createWebhookReconcile } from './reconcile.ts';
import { createSender } from './sender.ts';

/** How often the numbers in a status are brought up to date. */
const numbersMs = 2_000;

/**
 * Webhooks: one queue of keys, by uid, keeps their status current; the intake reads what happens and queues it; the
 * sender sends what is queued. All of it is for one term of leadership, so that one process sends.
 */
export function createWebhookController(deps: WebhookDeps, settings: ControllerSettings): Controller {
  const queues = createQueues();
  const isIdentified = (webhook: Webhook) =>
    settings.isIdentified?.(webhook) ?? keepsId(deps.caches.webhooks, webhook);
  const enqueue = createEnqueue(deps, queues);
  const sender = createSender(deps, {
    queues,
    enqueue,
    outcomes: createOutcomes(deps),
    readBodies: createReadBodies(deps.kube),
    openWebhook: (queue) => openWebhook(deps, queue),
    changed: (uid, isUrgent) => status.keys.addAfter(uid, isUrgent ? 0 : numbersMs),
  });
  const status = defineController(
    {
      name: 'webhook',
      reconcile: createWebhookReconcile(deps, queues, sender.pump),
      objectOf: (uid) => deps.caches.webhooks.byIndex('uid', uid)[0],
      watch: (keys) => watchAll(deps, { queues, keys, pump: sender.pump, isIdentified }),
    },
    deps,
    settings,
  );
  const intake = createIntake(deps, enqueue);
  return joinControllers('webhook', [
    status,
    { name: 'webhook-sender', ...sender },
    { name: 'webhook-intake', ...intake },
  ]);
}

/** Its spec is checked before anything is sent to a new URL. */
function openWebhook({ caches }: WebhookDeps, { uid }: WebhookQueue): Webhook | undefined {
  const [webhook] = caches.webhooks.byIndex('uid', uid);
  const isChecked = webhook?.status?.observedGeneration === webhook?.metadata.generation;
  return webhook?.status?.state === 'Active' && isChecked ? webhook : undefined;
}

interface Watched {
  queues: Queues;
  keys: Keys;
  pump(): void;
  isIdentified(webhook: Webhook): boolean;
}

function watchAll({ caches }: WebhookDeps, { queues, keys, pump, isIdentified }: Watched): () => void {
  const addWebhook = (webhook: Webhook) => {
    // What is queued under its id belongs to another one.
    if (!isIdentified(webhook)) return;
    const queue = queues.of(webhook);
    for (const batch of caches.batches.byIndex('webhook', idKey(webhook.metadata.namespace, idOf(webhook))))
      queues.load(queue, batch);
    keys.add(webhook.metadata.uid);
  };
  const addBatch = (batch: Batch) => {
    const queue = queues.holding(placeOf(batch));
    if (!queue || queue.batches.has(batch.metadata.name)) return;
    queues.load(queue, batch);
    pump();
    keys.addAfter(queue.uid, numbersMs);
  };
  caches.webhooks.list().forEach(addWebhook);
  return stopAll([
    caches.webhooks.onChange(({ type, object }) => {
      // Another one with its id keeps that from now on, without a change of its own.
      const next = type === 'deleted' && findById(caches.webhooks, object.metadata.namespace, idOf(object));
      if (next) addWebhook(next);
      if (queues.byUid(object.metadata.uid)) keys.add(object.metadata.uid);
      else addWebhook(object);
    }),
    caches.batches.onChange(({ type, object }) => {
      if (type === 'set') return addBatch(object);
      const queue = queues.holding(placeOf(object));
      if (queue) queues.unload(queue, object.metadata.name);
    }),
    caches.secrets.onChange(({ object }) => {
      for (const webhook of caches.webhooks.byIndex('namespace', object.metadata.namespace)) {
        if (isSignedWith(webhook, object)) keys.add(webhook.metadata.uid);
      }
    }),
  ]);
}

const placeOf = ({ metadata: { namespace }, spec: { webhookID } }: Batch) => ({ namespace, webhookID });

function isSignedWith(webhook: Webhook, { metadata }: Stored<SecretResource>): boolean {
  return [secretNameOf(webhook), webhook.spec.previousSecretRef?.name].includes(metadata.name);
}
