import { labels } from '../../core/api/names.ts';
import { webhookType } from '../../core/api/resources/resources.ts';
import { aWebhook } from '../../core/api/testing/builders.ts';
import { createFakeKube } from '../../core/kube/testing/fake/fake.ts';
import { openPlace } from './testing/objects.ts';
import { startWebhookOperator } from './testing/operator.ts';
import { startReceiver } from './testing/receiver.ts';

const id = '6f1d2c3b-4a5e-4f60-8171-92a3b4c5d6e7';

it('repro', async () => {
  const kube = createFakeKube();
  const place = await openPlace(kube);
  const receiver = await startReceiver();
  const operator = await startWebhookOperator(kube, { namespace: place.namespace });
  const add = async (name: string) => {
    const secretRef = { name: `${name}-secret` };
    const { uid: _, creationTimestamp: __, ...metadata } = aWebhook({ name, namespace: place.namespace }).metadata;
    const created = await kube.create(webhookType, {
      ...aWebhook({ spec: { secretRef, types: ['network.*'], url: `${receiver.url}/${name}` } }),
      metadata: { ...metadata, labels: { [labels.id]: id } },
    });
    await place.addSecret(created, secretRef.name);
    return created;
  };
  await add('a');
  await operator.reach('a', ({ status }) => status?.state === 'Active');
  const b = await add('b');
  while (!operator.caches.webhooks.get(b.metadata)) await new Promise((r) => setImmediate(r));
  for (let i = 0; i < 50; i++) await new Promise((r) => setImmediate(r));
  await kube.patch(webhookType, b.metadata, { metadata: { labels: { [labels.id]: b.metadata.uid } } });
  await operator.reach('b', ({ status }) => status?.state === 'Active');
  await place.network('net');
  let count = 0;
  for (let i = 0; i < 300; i++) { operator.clock.advance(100); await new Promise((r) => setImmediate(r)); }
  count = (await place.batches()).length;
  console.log((await place.batches()).map((one) => [one.metadata.name, one.spec.webhookID, one.spec.webhook]), b.metadata.uid);
  console.log('batches', count, receiver.received.map(({ path, event }) => `${path} ${event.type}`));
  process.exit(3);
});
