import { labels } from '../../../core/api/names.ts';
import { createFakeKube, type FakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { webhookType } from '../api/types.ts';
import { aWebhook } from '../testing/builders.ts';
import { openPlace, type Place } from './testing/objects.ts';
import { startWebhookOperator, type WebhookOperator } from './testing/operator.ts';
import { type Receiver, startReceiver } from './testing/receiver.ts';

const id = '6f1d2c3b-4a5e-4f60-8171-92a3b4c5d6e7';

let kube: FakeKube;
let place: Place;
let receiver: Receiver;
let operator: WebhookOperator;
beforeEach(async () => {
  kube = createFakeKube();
  place = await openPlace(kube);
  receiver = await startReceiver();
  operator = await startWebhookOperator(kube, { namespace: place.namespace });
});
afterEach(async () => {
  await operator.stop();
  await receiver.close();
});

/** Stores a webhook with this id, born at this time, and waits until the operator has seen it. */
async function add(name: string, { born, types }: { born: string; types: string[] }) {
  const { namespace } = place;
  const metadata = {
    labels: { [labels.id]: id },
    uid: `uid-${name}`,
    creationTimestamp: born,
    generation: 1,
  };
  const spec = { url: `${receiver.url}/${name}`, types };
  const stored = kube.seed(webhookType, aWebhook({ name, namespace, metadata, spec }));
  await operator.caches.webhooks.waitFor((one) => one.metadata.uid === stored.metadata.uid, {
    timeoutMs: 60_000,
  });
  return stored;
}

const active = (name: string) => operator.reach(name, ({ status }) => status?.state === 'Active');
const paths = () => receiver.received.map(({ path, event }) => `${path} ${event.type}`);

it.each([
  ['both want them', ['network.*'], ['/a network.created', '/b network.created']],
  ['only the older one wants them', ['token.*'], ['/a network.created']],
])(
  'events go to the webhook that they are for, also where a younger one repeated its id: %s',
  async (_case, types, expected) => {
    await add('a', { born: '2026-01-01T00:00:00Z', types: ['network.*'] });
    await active('a');
    const { metadata } = await add('b', { born: '2026-02-01T00:00:00Z', types });
    await kube.patch(webhookType, metadata, { metadata: { labels: { [labels.id]: metadata.uid } } });
    await active('b');
    await place.network('net');
    await operator.until(() => receiver.received.length >= expected.length);
    await operator.pass(5_000);
    expect(paths().sort()).toEqual(expected);
    expect(await place.deliveries(id)).toHaveLength(1);
    expect((await place.batches()).length).toBe(expected.length);
  },
);

it('a webhook that repeats the id of another one gets no events before it has its own', async () => {
  await add('a', { born: '2026-01-01T00:00:00Z', types: ['network.*'] });
  await active('a');
  await add('b', { born: '2026-02-01T00:00:00Z', types: ['network.*'] });
  await place.network('net');
  await operator.until(() => receiver.received.length > 0);
  await operator.pass(5_000);
  expect(paths()).toEqual(['/a network.created']);
});
