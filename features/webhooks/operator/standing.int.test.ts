import { annotations } from '../../../core/api/names.ts';
import { toRfc3339 } from '../../../core/lib/clock.ts';
import { webhookType } from '../api/types.ts';
import { isValid } from './testing/receiver.ts';
import { useDeliveries } from './testing/scene.ts';

const scene = useDeliveries();
const { kube, active } = scene;
const typesOf = (from = scene.receiver.received) => from.map(({ event }) => event.type);

/** An Event is recorded after the status that it is about. */
const recorded = (reason: string, type?: string) =>
  scene.operator.until(() =>
    scene.operator.recorded.some((one) => one.reason === reason && (type ?? one.type) === one.type),
  );

it('a webhook that is created before its secret waits for it, and is in Error only when it does not come', async () => {
  const secretRef = { name: 'late' };
  const spec = { url: scene.receiver.url, secretRef };
  const created = await scene.place.bareWebhook('ci', spec);
  await scene.place.bareWebhook('forgotten', { ...spec, secretRef: { name: 'never' } });
  await scene.operator.pass(1000);
  expect((await kube.get(webhookType, created.metadata))?.status?.state).toBeUndefined();
  await scene.place.addSecret(created, secretRef.name);
  await active('ci');
  await scene.operator.reach('forgotten', ({ status }) => status?.state === 'Error');
  await recorded('NotUsable');
  expect(scene.operator.recorded.map(({ reason }) => reason).sort()).toEqual(['Active', 'NotUsable']);
});

it('a type that no event has is named: kubectl takes it', async () => {
  await scene.place.webhook('typo', { url: scene.receiver.url, types: ['network.*', 'nope.*'] });
  const { status } = await scene.operator.reach('typo', (webhook) => webhook.status?.state === 'Active');
  expect(status?.message).toContain('nope.* in spec.types selects no type of event');
});

describe('a pause', () => {
  it('begins at once when the receiver answers 410, with an Event, and ends by the annotation: nothing is lost', async () => {
    scene.receiver.react(410);
    await scene.place.webhook('ci', { url: scene.receiver.url });
    await active('ci');
    await scene.place.network('net');
    const paused = await scene.operator.reach('ci', ({ status }) => status?.state === 'Paused');
    expect(paused.status).toMatchObject({ pauseReason: 'Gone', message: expect.stringContaining('410') });
    await recorded('Gone', 'Warning');
    scene.receiver.react(204);
    const before = scene.receiver.arrived.length;
    await scene.place.setState('net', 'Operational');
    await scene.operator.pass(3_600_000);
    expect(scene.receiver.arrived).toHaveLength(before);
    const body = { metadata: { annotations: { [annotations.resume]: 'now' } } };
    await kube.patch(webhookType, paused.metadata, body);
    await scene.operator.until(() => scene.receiver.received.length === 2);
    expect(typesOf()).toEqual(['network.created', 'network.operational']);
    expect((await active('ci')).status?.pauseReason).toBeUndefined();
  });

  it('begins when every attempt of a day failed, and the receiver hears later that events are missing', async () => {
    scene.receiver.react(500);
    const { metadata } = await scene.place.webhook('ci', { url: scene.receiver.url });
    await active('ci');
    await scene.place.network('net');
    await scene.operator.until(async () => {
      const { status } = (await kube.get(webhookType, metadata)) ?? {};
      return status?.state === 'Paused';
    }, 600_000);
    expect((await kube.get(webhookType, metadata))?.status).toMatchObject({ pauseReason: 'Failing' });
    await recorded('Failing', 'Warning');
    await scene.operator.until(async () =>
      (await scene.place.deliveries(metadata.uid)).some(({ state }) => state === 'failed'),
    );
    scene.receiver.react(204);
    await kube.patch(webhookType, metadata, { metadata: { annotations: { [annotations.resume]: 'now' } } });
    await scene.operator.until(() => scene.receiver.received.length === 1, 1_000);
    expect(scene.receiver.received[0]?.event).toMatchObject({
      type: 'webhook.gap',
      object: { reason: 'Expired', dropped: 1 },
    });
  });

  it('that was asked for keeps events until it ends', async () => {
    const { metadata } = await scene.place.webhook('ci', { url: scene.receiver.url, paused: true });
    await scene.operator.reach('ci', ({ status }) => status?.pauseReason === 'Requested');
    await scene.place.network('net');
    await scene.operator.until(async () => (await scene.place.deliveries(metadata.uid)).length === 1);
    expect(scene.receiver.arrived).toEqual([]);
    await kube.patch(webhookType, metadata, { spec: { paused: null } });
    await scene.operator.until(() => scene.receiver.received.length === 1);
  });

  it('that was asked for does not count as time in which the receiver failed', async () => {
    scene.receiver.react(500);
    const { metadata } = await scene.place.webhook('ci', { url: scene.receiver.url });
    await active('ci');
    await scene.place.network('net');
    const status = async () => (await kube.get(webhookType, metadata))?.status;
    await scene.operator.until(async () => (await status())?.failingSince !== undefined);
    await kube.patch(webhookType, metadata, { spec: { paused: true } });
    await scene.operator.reach('ci', (webhook) => webhook.status?.pauseReason === 'Requested');
    await scene.operator.pass(25 * 3_600_000);
    const resumedAt = toRfc3339(scene.operator.clock.nowMs());
    await scene.place.setState('net', 'Operational');
    await kube.patch(webhookType, metadata, { spec: { paused: null } });
    await scene.operator.until(async () => ((await status())?.failingSince ?? '') >= resumedAt);
    expect((await status())?.state).toBe('Active');
  });
});

describe('signing secrets', () => {
  it('during a rotation both sign, and afterwards the new one alone', async () => {
    const webhook = await scene.place.webhook('ci', { url: scene.receiver.url });
    const next = await scene.place.addSecret(webhook, 'next');
    await active('ci');
    const until = toRfc3339(scene.operator.clock.nowMs() + 60_000);
    const spec = {
      secretRef: { name: 'next' },
      previousSecretRef: { name: 'ci-secret' },
      previousSecretExpiresAt: until,
    };
    await kube.patch(webhookType, webhook.metadata, { spec });
    await scene.operator.reach(
      'ci',
      ({ status, metadata }) =>
        status?.observedGeneration === metadata.generation && metadata.generation === 2,
    );
    await scene.place.network('net');
    await scene.operator.until(() => scene.receiver.received.length === 1);
    await scene.operator.pass(61_000);
    await scene.place.setState('net', 'Operational');
    await scene.operator.until(() => scene.receiver.received.length === 2);
    const valid = scene.receiver.received.map((arrived) =>
      [webhook.secret, next].map((secret) => isValid(arrived, secret)),
    );
    expect(valid).toEqual([
      [true, true],
      [false, true],
    ]);
  });

  it('one is generated for a webhook that names none', async () => {
    await scene.place.webhook('ci', { url: scene.receiver.url, secretRef: undefined! });
    const { metadata } = await active('ci');
    const name = `webhook-${metadata.uid}`;
    const { secretType } = await import('../../../core/api/resources/resources.ts');
    const secret = await kube.get(secretType, { namespace: scene.place.namespace, name });
    expect(secret).toMatchObject({
      spec: { type: 'webhook-secret', data: expect.stringMatching(/^slipway:v2:/) },
    });
  });
});
