import { idOf } from '../../../core/api/ids.ts';
import { apiVersion, labels } from '../../../core/api/names.ts';
import { controllerReferenceTo } from '../../../core/api/resources/kubeObject.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { compact } from '../../../core/lib/compact.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { packLines, unpackLines } from '../../../core/lib/json/packedLines.ts';
import {
  type BatchEntry,
  type DeliveryStatus,
  type GapReason,
  maxBatchData,
  type WebhookBatchResource,
  type WebhookBatchSpec,
} from '../api/batch.ts';
import type { WebhookDelivery } from '../api/deliveries.ts';
import type { WebhookResource } from '../api/webhook.ts';

/** An event as it is queued: `body` is the text that is signed and sent, the same in every attempt. */
export interface QueuedEvent extends BatchEntry {
  body: string;
}

export interface BatchContent extends Pick<WebhookBatchSpec, 'trigger' | 'sequence' | 'gap'> {
  /** Ends the name of the object, and begins the ids of its deliveries. */
  suffix: string;
  events: readonly QueuedEvent[];
}

/** The object of a batch. Its place follows from the suffix, so that a repeated write makes no second one. */
export async function newBatch(
  webhook: Stored<WebhookResource>,
  { suffix, events, ...rest }: BatchContent,
): Promise<WebhookBatchResource> {
  const { namespace, name } = webhook.metadata;
  const id = idOf(webhook);
  const data = await packLines(events.map(({ body }) => body));
  if (data.length > maxBatchData) {
    throw new AppError(
      'TooLarge',
      `the events have ${data.length} bytes, and a batch has at most ${maxBatchData}`,
    );
  }
  const workspace = webhook.metadata.labels?.[labels.workspace];
  return {
    apiVersion,
    kind: 'WebhookBatch',
    metadata: {
      name: `${id}-${suffix}`,
      namespace,
      labels: compact({ [labels.webhook]: id, [labels.workspace]: workspace }),
      ownerReferences: [controllerReferenceTo(webhook)],
    },
    spec: {
      ...compact(rest),
      webhook: name,
      webhookID: id,
      entries: events.map(({ body: _, ...entry }) => entry),
      bytes: data.length,
      data,
    },
  };
}

/** The bodies of a batch, in the order of its entries. */
export function bodiesOf({ spec }: WebhookBatchResource): Promise<string[]> {
  return unpackLines(spec.data);
}

/** A delivery of a batch that was never tried. */
function untried(index: number): DeliveryStatus {
  return { index, state: 'pending', attempts: 0, log: [] };
}

/** What became of the deliveries of a batch, one for each entry. */
export function deliveriesIn({ spec, status }: WebhookBatchResource): DeliveryStatus[] {
  const known = new Map(status?.deliveries.map((delivery) => [delivery.index, delivery]));
  return spec.entries.map((_entry, index) => known.get(index) ?? untried(index));
}

/** The suffix in the name of a batch. */
function suffixOf({ metadata, spec }: WebhookBatchResource): string {
  return metadata.name.slice(spec.webhookID.length + 1);
}

/** The deliveries of a batch as REST returns them. */
export function toDeliveries(batch: WebhookBatchResource): WebhookDelivery[] {
  const suffix = suffixOf(batch);
  return deliveriesIn(batch).flatMap(({ index, ...rest }) => {
    const entry = batch.spec.entries[index];
    if (!entry) return [];
    const { id: eventID, type, createdAt } = entry;
    const id = `${suffix}.${index}`;
    const { trigger, gap } = batch.spec;
    const message = gap && gapMessages[gap.reason](gap.dropped);
    return [
      {
        kind: 'WebhookDelivery',
        version: 'v1alpha',
        id,
        eventID,
        type,
        trigger,
        createdAt,
        ...rest,
        ...compact({ message }),
      },
    ];
  });
}

const gapMessages: Record<GapReason, (dropped: number) => string> = {
  BudgetExceeded: (dropped) => `${dropped} events were dropped, because the queue was full`,
  Expired: (dropped) => `${dropped} events were given up after a day`,
  HistoryLost: () => 'events are missing, because nothing followed the cluster for too long',
};

/** The place of a delivery by its id: the suffix of its batch and its index there; undefined if it is not one. */
export function parseDeliveryId(id: string): { suffix: string; index: number } | undefined {
  const [, suffix, index] = /^([a-z0-9]{1,24})\.(\d{1,3})$/.exec(id) ?? [];
  return suffix === undefined ? undefined : { suffix, index: Number(index) };
}
