import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { apiVersion, labels } from '../api/names.ts';
import type { WebhookResource } from '../api/resources/webhook.ts';
import {
  type BatchEntry,
  type DeliveryStatus,
  type GapReason,
  maxBatchData,
  type WebhookBatchResource,
  type WebhookBatchSpec,
} from '../api/resources/webhookBatch.ts';
import type { WebhookDelivery } from '../api/rest/webhook.ts';
import type { Stored } from '../kube/kube.ts';
import { compact } from '../lib/compact.ts';
import { AppError } from '../lib/errors.ts';

/** An event as it is queued: `body` is the text that is signed and sent, the same in every attempt. */
export interface QueuedEvent extends BatchEntry {
  body: string;
}

export interface BatchContent extends Pick<WebhookBatchSpec, 'trigger' | 'sequence' | 'gap'> {
  /** Ends the name of the object, and begins the ids of its deliveries. */
  suffix: string;
  events: readonly QueuedEvent[];
}

const zip = promisify(gzip);
const unzip = promisify(gunzip);
/** What one batch may unpack to: a body has at most 1.5 MB, because an object in etcd has. */
const maxUnpacked = 128 * 1024 * 1024;

/** The object of a batch. Its place follows from the suffix, so that a repeated write makes no second one. */
export async function newBatch(
  webhook: Stored<WebhookResource>,
  { suffix, events, ...rest }: BatchContent,
): Promise<WebhookBatchResource> {
  const { namespace, name, uid } = webhook.metadata;
  const data = await packBodies(events.map(({ body }) => body));
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
      name: `${uid}-${suffix}`,
      namespace,
      labels: compact({ [labels.webhook]: uid, [labels.workspace]: workspace }),
      ownerReferences: [{ apiVersion, kind: 'Webhook', name, uid, controller: true }],
    },
    spec: {
      ...compact(rest),
      webhook: name,
      webhookID: uid,
      entries: events.map(({ body: _, ...entry }) => entry),
      bytes: data.length,
      data,
    },
  };
}

/** Base64 of gzip of the bodies, one line each: JSON without line breaks. */
async function packBodies(bodies: readonly string[]): Promise<string> {
  return (await zip(bodies.join('\n'))).toString('base64');
}

/** The bodies of a batch, in the order of its entries. */
export async function bodiesOf({ spec }: WebhookBatchResource): Promise<string[]> {
  const text = await unzip(Buffer.from(spec.data, 'base64'), { maxOutputLength: maxUnpacked });
  return text.toString('utf8').split('\n');
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
    const head = { kind: 'WebhookDelivery', version: 'v1alpha', id, eventID, type, trigger } as const;
    return [{ ...head, createdAt, ...rest, ...compact({ message }) }];
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
