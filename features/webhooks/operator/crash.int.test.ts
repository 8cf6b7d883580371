import { createMortalKube } from '../../../core/kube/testing/mortalKube.ts';
import { createTestKube } from '../../../hack/testenv/testKube.ts';
import { openPlace } from './testing/objects.ts';
import { startWebhookOperator } from './testing/operator.ts';
import { isValid, type Receiver, startReceiver } from './testing/receiver.ts';

const kube = createTestKube();
let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.close();
});
afterAll(() => kube.close());

const states = ['Operational', 'Stopping', 'Stopped', 'Pending', 'Operational'] as const;
const expected = ['created', 'operational', 'stopping', 'stopped', 'pending', 'operational'];

/** What arrived without repetitions, in the order in which it first did. */
const firsts = () => [...new Map(receiver.received.map((arrived) => [arrived.id, arrived])).values()];
const namesOf = () => firsts().map(({ event }) => event.type.replace('network.', ''));

it.each([1, 2, 3, 4, 5].flatMap((at) => (['before', 'after'] as const).map((when) => ({ at, when }))))(
  'an operator that dies $when its write $at loses no event, and the next one sends them in order',
  async ({ at, when }) => {
    const place = await openPlace(kube);
    const mortal = createMortalKube(kube, { at, when });
    const first = await startWebhookOperator(mortal.kube, { namespace: place.namespace });
    const { secret } = await place.webhook('ci', { url: receiver.url, types: ['network.*'] });
    await first.reach('ci', ({ status }) => status?.state === 'Active');
    mortal.arm();
    await place.network('net');
    const [one, two, ...others] = states;
    for (const state of [one, two]) await place.setState('net', state);
    await first.until(() => mortal.isDead() || namesOf().length === 3);
    // While no operator runs.
    for (const state of others) await place.setState('net', state);
    await first.stop();
    const next = await startWebhookOperator(kube, { namespace: place.namespace });
    await next.until(() => namesOf().length >= expected.length);
    expect(namesOf()).toEqual(expected);
    expect(receiver.received.every((arrived) => isValid(arrived, secret))).toBe(true);
    await next.stop();
  },
);

it('a receiver that is down while the operator is killed gets everything from the next one, with the same ids', async () => {
  const place = await openPlace(kube);
  const mortal = createMortalKube(kube, undefined);
  const first = await startWebhookOperator(mortal.kube, { namespace: place.namespace });
  const { metadata, secret } = await place.webhook('ci', { url: receiver.url });
  await first.reach('ci', ({ status }) => status?.state === 'Active');
  receiver.react(503);
  await place.network('net');
  for (const state of states) await place.setState('net', state);
  await first.until(async () => (await place.deliveries(metadata.uid)).length === expected.length);
  const ids = (await place.deliveries(metadata.uid)).map(({ eventID }) => eventID);
  await first.stop();
  receiver.react(204);
  const next = await startWebhookOperator(kube, { namespace: place.namespace, clock: first.clock });
  await next.until(() => receiver.received.length === expected.length, 1_000);
  expect(receiver.received.map(({ id }) => id)).toEqual(ids);
  expect(receiver.received.every((arrived) => isValid(arrived, secret))).toBe(true);
  await next.stop();
});
