import { jest } from '@jest/globals';
import { annotations } from '../../core/api/names.ts';
import { webhookType } from '../../core/api/resources/resources.ts';
import { toRfc3339 } from '../../core/lib/clock.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import { openPlace, type Place } from './testing/objects.ts';
import { startWebhookOperator, type WebhookOperator } from './testing/operator.ts';
import { isValid, type Receiver, startReceiver } from './testing/receiver.ts';

jest.setTimeout(120_000);

const kube = createTestKube();
let place: Place;
let receiver: Receiver;
let operator: WebhookOperator;
beforeEach(async () => {
  place = await openPlace(kube);
  receiver = await startReceiver();
  operator = await startWebhookOperator(kube);
});
afterEach(async () => {
  await operator.stop();
  await receiver.close();
  for (const { metadata } of (await kube.list(webhookType)).items) await kube.delete(webhookType, metadata);
});
afterAll(() => kube.close());

const active = (name: string) => operator.reach(name, ({ status }) => status?.state === 'Active');
const typesOf = (from = receiver.received) => from.map(({ event }) => event.type);

describe('a delivery', () => {
  it('has the event with its object, signed, with headers of Standard Webhooks, and is logged', async () => {
    const { secret, metadata } = await place.webhook('ci', { url: `${receiver.url}/hook` });
    await active('ci');
    await place.network('net', { team: 'a' });
    await operator.until(() => receiver.received.length === 1);
    const [arrived] = receiver.received;
    expect(arrived).toMatchObject({
      path: '/hook',
      event: { type: 'network.created', workspace: place.namespace },
    });
    expect(arrived?.event.object).toMatchObject({
      kind: 'Network',
      name: 'net',
      metadata: { labels: { team: 'a' } },
    });
    expect(arrived?.id).toBe(arrived?.event.id);
    expect(arrived && isValid(arrived, secret)).toBe(true);
    const isLogged = async () => (await place.deliveries(metadata.uid))[0]?.state === 'delivered';
    await operator.until(isLogged);
    expect(await place.deliveries(metadata.uid)).toMatchObject([
      { attempts: 1, log: [{ status: 204 }], eventID: arrived?.id },
    ]);
  });

  it('has no URL of the network, which would contain an access key', async () => {
    await place.webhook('ci', { url: receiver.url, types: ['network.operational'] });
    await active('ci');
    await place.network('net');
    await kube.patch(
      (await import('../../core/api/resources/resources.ts')).networkType,
      { namespace: place.namespace, name: 'net' },
      { status: { state: 'Operational', endpoints: { rpc: 'http://x/rpc/id/the-access-key/rpc' } } },
      'status',
    );
    await operator.until(() => receiver.received.length === 1);
    expect(receiver.received[0]?.body).not.toContain('the-access-key');
  });

  it('is only made for the types and labels that the webhook wants', async () => {
    await place.webhook('ci', {
      url: receiver.url,
      types: ['network.stopped'],
      selector: { matchLabels: { team: 'a' } },
    });
    await active('ci');
    await place.network('mine', { team: 'a' });
    await place.network('other', { team: 'b' });
    for (const name of ['other', 'mine']) await place.setState(name, 'Stopped');
    await operator.until(() => receiver.received.length > 0);
    expect(receiver.received.map(({ event }) => [event.type, event.object.name])).toEqual([
      ['network.stopped', 'mine'],
    ]);
  });

  it('is not made for another workspace', async () => {
    const elsewhere = await openPlace(kube);
    await place.webhook('ci', { url: receiver.url });
    await active('ci');
    await elsewhere.network('theirs');
    await place.network('mine');
    await operator.until(() => receiver.received.length > 0);
    expect(receiver.received.map(({ event }) => event.object.name)).toEqual(['mine']);
  });
});

describe('a receiver', () => {
  it('that is down for ten minutes gets everything afterwards: same ids, valid signatures, in order', async () => {
    const { secret } = await place.webhook('ci', { url: receiver.url });
    await active('ci');
    receiver.react(500);
    await place.network('net');
    await operator.until(() => receiver.arrived.length > 0);
    const firstId = receiver.arrived[0]?.id;
    await receiver.goDown();
    for (const state of ['Operational', 'Stopping', 'Stopped', 'Pending', 'Operational'] as const) {
      await place.setState('net', state);
      await operator.pass(120_000);
    }
    receiver.react(204);
    await receiver.comeUp();
    const backMs = operator.clock.nowMs();
    await operator.until(() => receiver.received.length === 6, 1_000);
    expect(typesOf()).toEqual(
      ['created', 'operational', 'stopping', 'stopped', 'pending', 'operational'].map(
        (name) => `network.${name}`,
      ),
    );
    expect(receiver.received[0]?.id).toBe(firstId);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(6);
    expect(receiver.received.every((arrived) => isValid(arrived, secret))).toBe(true);
    const isFresh = receiver.received.every(({ timestamp }) => timestamp * 1000 >= backMs - 1_000);
    expect(isFresh).toBe(true);
  });

  it('that fails for one object gets the events of others meanwhile, and those of that one in order', async () => {
    receiver.react(({ event }, response) =>
      response.writeHead(event.object.name === 'bad' ? 500 : 204).end(),
    );
    await place.webhook('ci', { url: receiver.url });
    await active('ci');
    await place.network('bad');
    await operator.until(() => receiver.arrived.length > 0);
    await place.setState('bad', 'Operational');
    await place.network('good');
    await place.setState('good', 'Operational');
    await operator.until(() => receiver.received.length === 2);
    expect(receiver.received.map(({ event }) => event.object.name)).toEqual(['good', 'good']);
    expect(
      new Set(
        receiver.arrived.filter(({ event }) => event.object.name === 'bad').map(({ event }) => event.type),
      ),
    ).toEqual(new Set(['network.created']));
    receiver.react(204);
    await operator.until(() => receiver.received.length === 4, 1_000);
    expect(typesOf(receiver.received.slice(2))).toEqual(['network.created', 'network.operational']);
  });

  it('that is slow delays nobody else', async () => {
    const slow = await startReceiver();
    slow.react(() => undefined);
    await place.webhook('slow', { url: slow.url });
    await place.webhook('fast', { url: receiver.url });
    await active('slow');
    await active('fast');
    const names = Array.from({ length: 12 }, (_, at) => `net-${at}`);
    for (const name of names) await place.network(name);
    // In small steps: no delivery to the slow one is to time out before the fast one has everything.
    await operator.until(() => slow.arrived.length >= 4 && receiver.received.length === names.length, 5);
    // It has its share of four under way, none of them answered.
    expect([slow.arrived.length, slow.received.length]).toEqual([4, 0]);
    await slow.close();
  });

  it('that redirects is not followed, and the log says so', async () => {
    const trap = await startReceiver();
    receiver.react((_arrived, response) => response.writeHead(302, { location: trap.url }).end());
    const { metadata } = await place.webhook('ci', { url: receiver.url });
    await active('ci');
    await place.network('net');
    const logged = async () => (await place.deliveries(metadata.uid))[0]?.log[0];
    await operator.until(async () => (await logged()) !== undefined);
    expect(await logged()).toMatchObject({
      status: 302,
      error: expect.stringContaining('redirects are not followed'),
    });
    expect(trap.arrived).toEqual([]);
    await trap.close();
  });

  it('that answers 429 with Retry-After is left alone for that long', async () => {
    receiver.react((_arrived, response) => response.writeHead(429, { 'retry-after': '600' }).end());
    await place.webhook('ci', { url: receiver.url });
    await active('ci');
    await place.network('net');
    await operator.until(() => receiver.arrived.length === 1);
    await operator.pass(590_000);
    await place.network('other');
    expect(receiver.arrived).toHaveLength(1);
    receiver.react(204);
    await operator.until(() => receiver.received.length === 2, 1_000);
  });

  it('whose answer quotes the URL or a credential finds neither in the log', async () => {
    receiver.react((_arrived, response) =>
      response.writeHead(500).end('no /hook?token=verysecrettoken, Bearer abcdef123456\u0007'),
    );
    const { metadata } = await place.webhook('ci', { url: `${receiver.url}/hook?token=verysecrettoken` });
    await active('ci');
    await place.network('net');
    const text = async () => JSON.stringify((await place.deliveries(metadata.uid))[0]?.log ?? []);
    await operator.until(async () => (await text()) !== '[]');
    expect(await text()).toContain('no [url], Bearer (redacted)');
  });
});

describe('a pause', () => {
  it('begins at once when the receiver answers 410, with an Event, and ends by the annotation: nothing is lost', async () => {
    receiver.react(410);
    await place.webhook('ci', { url: receiver.url });
    await active('ci');
    await place.network('net');
    const paused = await operator.reach('ci', ({ status }) => status?.state === 'Paused');
    expect(paused.status).toMatchObject({ pauseReason: 'Gone', message: expect.stringContaining('410') });
    await operator.until(() =>
      operator.recorded.some(({ type, reason }) => type === 'Warning' && reason === 'Gone'),
    );
    receiver.react(204);
    const before = receiver.arrived.length;
    await place.setState('net', 'Operational');
    await operator.pass(3_600_000);
    expect(receiver.arrived).toHaveLength(before);
    const body = { metadata: { annotations: { [annotations.resume]: 'now' } } };
    await kube.patch(webhookType, paused.metadata, body);
    await operator.until(() => receiver.received.length === 2);
    expect(typesOf()).toEqual(['network.created', 'network.operational']);
    expect((await active('ci')).status?.pauseReason).toBeUndefined();
  });

  it('begins when every attempt of a day failed, and the receiver hears later that events are missing', async () => {
    receiver.react(500);
    const { metadata } = await place.webhook('ci', { url: receiver.url });
    await active('ci');
    await place.network('net');
    await operator.until(async () => {
      const { status } = (await kube.get(webhookType, metadata)) ?? {};
      return status?.state === 'Paused';
    }, 600_000);
    expect((await kube.get(webhookType, metadata))?.status).toMatchObject({ pauseReason: 'Failing' });
    expect(operator.recorded).toContainEqual(expect.objectContaining({ type: 'Warning', reason: 'Failing' }));
    await operator.until(async () =>
      (await place.deliveries(metadata.uid)).some(({ state }) => state === 'failed'),
    );
    receiver.react(204);
    await kube.patch(webhookType, metadata, { metadata: { annotations: { [annotations.resume]: 'now' } } });
    await operator.until(() => receiver.received.length === 1, 1_000);
    expect(receiver.received[0]?.event).toMatchObject({
      type: 'webhook.gap',
      object: { reason: 'Expired', dropped: 1 },
    });
  });

  it('that was asked for keeps events until it ends', async () => {
    const { metadata } = await place.webhook('ci', { url: receiver.url, paused: true });
    await operator.reach('ci', ({ status }) => status?.pauseReason === 'Requested');
    await place.network('net');
    await operator.until(async () => (await place.deliveries(metadata.uid)).length === 1);
    expect(receiver.arrived).toEqual([]);
    await kube.patch(webhookType, metadata, { spec: { paused: null } });
    await operator.until(() => receiver.received.length === 1);
  });
});

describe('signing secrets', () => {
  it('during a rotation both sign, and afterwards the new one alone', async () => {
    const webhook = await place.webhook('ci', { url: receiver.url });
    const next = await place.addSecret(webhook, 'next');
    await active('ci');
    const until = toRfc3339(operator.clock.nowMs() + 60_000);
    const spec = {
      secretRef: { name: 'next' },
      previousSecretRef: { name: 'ci-secret' },
      previousSecretExpiresAt: until,
    };
    await kube.patch(webhookType, webhook.metadata, { spec });
    await operator.reach(
      'ci',
      ({ status, metadata }) =>
        status?.observedGeneration === metadata.generation && metadata.generation === 2,
    );
    await place.network('net');
    await operator.until(() => receiver.received.length === 1);
    await operator.pass(61_000);
    await place.setState('net', 'Operational');
    await operator.until(() => receiver.received.length === 2);
    const valid = receiver.received.map((arrived) =>
      [webhook.secret, next].map((secret) => isValid(arrived, secret)),
    );
    expect(valid).toEqual([
      [true, true],
      [false, true],
    ]);
  });

  it('one is generated for a webhook that names none', async () => {
    await place.webhook('ci', { url: receiver.url, secretRef: undefined! });
    const { metadata } = await active('ci');
    const name = `webhook-${metadata.uid}`;
    const { secretType } = await import('../../core/api/resources/resources.ts');
    const secret = await kube.get(secretType, { namespace: place.namespace, name });
    expect(secret).toMatchObject({
      spec: { type: 'webhook-secret', data: expect.stringMatching(/^slipway:v2:/) },
    });
  });
});
