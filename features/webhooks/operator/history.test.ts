import { networkType, tokenType } from '../../../core/api/resources/resources.ts';
import { aToken } from '../../../core/api/testing/builders.ts';
import type { Kube, KubeObject } from '../../../core/kube/kube.ts';
import { createFakeKube, type FakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { webhookType } from '../api/types.ts';
import type { WebhookResource } from '../api/webhook.ts';
import { openPlace, type Place } from './testing/objects.ts';
import { startWebhookOperator, type WebhookOperator } from './testing/operator.ts';
import { type Receiver, startReceiver } from './testing/receiver.ts';

let kube: FakeKube;
let place: Place;
let other: Place;
let receiver: Receiver;
let operator: WebhookOperator;
beforeEach(async () => {
  kube = createFakeKube();
  place = await openPlace(kube);
  other = await openPlace(kube);
  receiver = await startReceiver();
  await restart();
  await place.bareWebhook('ci', { url: receiver.url, types: ['network.*'] });
  await operator.reach('ci', ({ status }) => status?.state === 'Active');
  await place.network('net');
  await seen('network.created net');
});
afterEach(async () => {
  await operator.stop();
  await receiver.close();
});

async function restart(): Promise<void> {
  operator = await startWebhookOperator(kube, { namespace: place.namespace });
}

const told = () =>
  receiver.received.map(({ event }) => [event.type, event.object.name].filter(Boolean).join(' '));
const seen = (text: string) => operator.until(() => told().includes(text));

/** The watches end, and kube-apiserver has forgotten what it could tell of the time until they are there again. */
async function loseHistory(meanwhile: () => Promise<void>): Promise<void> {
  const count = kube.watchCount();
  kube.endWatches(new AppError('Unavailable', 'kube-apiserver restarts'));
  await meanwhile();
  kube.compact();
  await operator.until(() => kube.watchCount() === count);
}

it('an operator that starts after the cluster has forgotten changes tells of a gap, and goes on from the present', async () => {
  await operator.stop();
  await place.setState('net', 'Operational');
  kube.compact();
  await restart();
  await seen('webhook.gap');
  await place.network('after');
  await seen('network.created after');
  expect(told()).toEqual(['network.created net', 'webhook.gap', 'network.created after']);
});

it('an operator that starts within the history of the cluster tells of everything that happened while none ran', async () => {
  await operator.stop();
  for (const state of ['Operational', 'Stopping', 'Stopped'] as const) await place.setState('net', state);
  await place.removeNetwork('net');
  await restart();
  await seen('network.deleted net');
  const types = ['created', 'operational', 'stopping', 'stopped', 'deleted'];
  expect(told()).toEqual(types.map((type) => `network.${type} net`));
});

it('a kube-apiserver that forgets what it could have told costs nothing when nothing happened', async () => {
  await loseHistory(async () => {
    // Of another workspace.
    await other.network('theirs');
  });
  await place.network('after');
  await seen('network.created after');
  expect(told()).toEqual(['network.created net', 'network.created after']);
});

it('the last change of each object is found by comparison when a kube-apiserver has forgotten it, after a gap', async () => {
  await loseHistory(async () => {
    await place.setState('net', 'Stopping');
    await place.setState('net', 'Stopped');
  });
  await seen('network.stopped net');
  expect(told()).toEqual(['network.created net', 'webhook.gap', 'network.stopped net']);
});

it('a cluster that was restored from a backup of another one knows nothing of its positions: a gap, and events go on', async () => {
  await operator.stop();
  const { metadata } = await webhookNow();
  const status = { since: '4000000000', cursor: '5000000000' };
  await kube.patch(webhookType, metadata, { status }, 'status');
  await restart();
  await seen('webhook.gap');
  await place.network('after');
  await seen('network.created after');
});

it.each([
  ['lies ahead of the cluster', '4000000000', '5000000000'],
  ['is one that the cluster is past', '1', '5000000000'],
  ['looks like one of the cluster', '1', '2'],
])(
  'a restored webhook has the positions of another object: its receiver is told of one gap, if the position %s',
  async (_where, since, cursor) => {
    await operator.stop();
    const { metadata } = await webhookNow();
    const status = { since, cursor, positionOf: 'another' };
    await kube.patch(webhookType, metadata, { status }, 'status');
    await restart();
    await seen('webhook.gap');
    const own = ({ status: now }: WebhookResource) => now?.positionOf === metadata.uid;
    await operator.reach('ci', (one) => own(one) && one.status?.cursor !== cursor);
    await place.network('after');
    await seen('network.created after');
    await operator.stop();
    await restart();
    await place.network('later');
    await seen('network.created later');
    const all = ['network.created net', 'webhook.gap', 'network.created after', 'network.created later'];
    expect(told()).toEqual(all);
  },
);

it('the position of all is stored where it is read: not in a webhook whose positions are those of another object', async () => {
  await place.bareWebhook('second', { url: receiver.url, types: ['network.*'] });
  await operator.reach('second', ({ status }) => status?.positionOf !== undefined);
  await operator.stop();
  const { items } = await kube.list(webhookType, { namespace: place.namespace });
  const [restored, own] = items.sort((a, b) => (a.metadata.uid < b.metadata.uid ? -1 : 1));
  if (!restored || !own) throw new Error('there are no two webhooks');
  const status = { positionOf: 'another', cursor: null };
  await kube.patch(webhookType, restored.metadata, { status }, 'status');
  const refusing: Kube = {
    ...kube,
    create: (type, object) =>
      isBatchOf(object, restored.metadata.uid)
        ? Promise.reject(new AppError('Forbidden', 'exceeded quota'))
        : kube.create(type, object),
  };
  operator = await startWebhookOperator(refusing, { namespace: place.namespace });
  const carriers = () => operator.caches.webhooks.list().filter(({ status: now }) => now?.cursor);
  await operator.until(() => carriers().length > 0);
  expect(carriers().map(({ metadata }) => metadata.uid)).toEqual([own.metadata.uid]);
  await place.network('after');
  const after = await kube.get(networkType, { namespace: place.namespace, name: 'after' });
  const stored = () => operator.caches.webhooks.get(own.metadata)?.status?.cursor ?? '0';
  // It moves on with what is told of all kinds, although the gap of the other one is still to be told.
  await operator.until(async () => {
    kube.bookmark();
    await place.setState('after', 'Pending', stored());
    return BigInt(stored()) >= BigInt(after?.metadata.resourceVersion ?? 0);
  }, 5_000);
});

it('a webhook that is not restored says whose its positions are, and tells of no gap', async () => {
  const { metadata, status } = await webhookNow();
  expect(status).toMatchObject({ positionOf: metadata.uid });
});

it('a kind whose past cannot be read delays the events of no other kind, and loses none of its own', async () => {
  await operator.stop();
  let isAway = true;
  const partly: Kube = {
    ...kube,
    list: (type, options) => {
      const isPast = type.kind === 'Token' && options?.resourceVersionMatch === 'Exact';
      return isPast && isAway
        ? Promise.reject(new AppError('Unavailable', 'away'))
        : kube.list(type, options);
    },
  };
  await place.bareWebhook('tokens', { url: receiver.url, types: ['token.*'] });
  await kube.create(tokenType, aToken({ name: 't', namespace: place.namespace }));
  await place.network('after');
  operator = await startWebhookOperator(partly, { namespace: place.namespace });
  await seen('network.created after');
  expect(receiver.received.map(({ event }) => event.type)).not.toContain('token.created');
  isAway = false;
  await operator.until(() => receiver.received.some(({ event }) => event.type === 'token.created'));
  expect(told()).not.toContain('webhook.gap');
});

it('a webhook gets what happens right after it was created, although the operator hears of it later', async () => {
  await operator.stop();
  const isTold = Promise.withResolvers<void>();
  const late: Kube = {
    ...kube,
    watch: (type, options) => {
      const events = kube.watch(type, options);
      return type.kind === 'Webhook' ? heldUntil(isTold.promise, events) : events;
    },
  };
  operator = await startWebhookOperator(late, { namespace: place.namespace });
  await place.bareWebhook('late', { url: `${receiver.url}/late`, types: ['network.*'] });
  await place.network('early');
  await seen('network.created early');
  isTold.resolve();
  const paths = () =>
    receiver.received.filter(({ event }) => event.object.name === 'early').map(({ path }) => path);
  await operator.until(() => paths().includes('/late'));
  expect(paths()).toEqual(['/', '/late']);
});

async function* heldUntil<T>(isTold: Promise<void>, events: AsyncIterable<T>): AsyncGenerator<T> {
  for await (const event of events) {
    await isTold;
    yield event;
  }
}

const isBatchOf = (object: KubeObject, uid: string) =>
  'spec' in object && (object.spec as { webhookID?: string }).webhookID === uid;

async function webhookNow() {
  const { items } = await kube.list(webhookType, { namespace: place.namespace });
  const [webhook] = items;
  if (!webhook) throw new Error('there is no webhook');
  return webhook;
}
