import { asStored } from '../../../core/api/testing/stored.ts';
import { createFakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { createManualClock } from '../../../core/lib/manualClock.ts';
import { createMetrics } from '../../../core/lib/metrics.ts';
import { budgetedKube } from '../../../core/storage/budgetedKube.ts';
import { isClosedToOperator } from '../../../core/storage/kinds.ts';
import { createStorageLedger } from '../../../core/storage/ledger.ts';
import { webhookBatchType } from '../api/types.ts';
import { queueOwnEvent } from '../core/ownEvents.ts';
import { aWebhook } from '../testing/builders.ts';
import { createEnqueue } from './enqueue.ts';
import { createWebhookMetrics, webhookMetricTable } from './metrics.ts';
import { createQueues } from './queues.ts';

const namespace = 'ws-one';
const webhook = asStored(aWebhook({ name: 'ci', namespace, metadata: { uid: 'u' } }));
const event = (id: string) =>
  queueOwnEvent({
    id,
    type: 'webhook.test',
    createdAt: '2031-01-01T00:00:00Z',
    workspace: 'one',
    object: { kind: 'WebhookTest' },
  } as never);

it('events for which a workspace has no room are counted in a gap, and later ones are queued again', async () => {
  let isFull = false;
  const ledger = createStorageLedger({
    quota: { workspaceStoredMiB: 1, storedMiB: 16, workspaceCachedMiB: 256, cachedMiB: 1024 },
    records: { list: () => [], onChange: () => () => undefined },
  });
  const take: typeof ledger.take = (data) => ledger.take(isFull ? { ...data, bytes: 2 ** 21 } : data);
  const cluster = createFakeKube();
  const queues = createQueues();
  const enqueue = createEnqueue(
    {
      kube: budgetedKube(cluster, { ledger: { ...ledger, take }, isRefused: isClosedToOperator }),
      caches: { batches: { observe: () => undefined } } as never,
      clock: createManualClock(1_000),
      deliveries: { queueMiB: 4, workspaceQueueMiB: 16 } as never,
      metrics: createWebhookMetrics(createMetrics([webhookMetricTable])),
      workspaceOf: () => 'one',
    },
    queues,
  );
  const stored = async () =>
    (await cluster.list(webhookBatchType, { namespace })).items.map(({ spec }) => ({
      trigger: spec.trigger,
      ids: spec.entries.map(({ id }) => id),
      dropped: spec.gap?.dropped,
    }));
  await enqueue.events(webhook, [event('one')]);
  isFull = true;
  await enqueue.events(webhook, [event('two'), event('three')]);
  await enqueue.events(webhook, [event('four')]);
  isFull = false;
  await enqueue.events(webhook, [event('five')]);
  expect(await stored()).toEqual(
    expect.arrayContaining([
      { trigger: 'event', ids: ['one'], dropped: undefined },
      { trigger: 'gap', ids: [expect.stringMatching(/^evt_gap_/)], dropped: 3 },
      { trigger: 'event', ids: ['five'], dropped: undefined },
    ]),
  );
  expect(await stored()).toHaveLength(3);
});
