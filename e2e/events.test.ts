import { followEvents } from './lib/events.ts';
import { createHotKey, createNetwork, type HotKey, reach, remove } from './lib/networks.ts';
import { call, freshName } from './lib/service.ts';

let key: HotKey;
beforeAll(async () => {
  key = await createHotKey();
});

const typesOf = (events: { type: string; object?: { id?: string } }[], id: string) =>
  events.filter(({ object }) => object?.id === id).map(({ type }) => type);

it('the life of a network is in the stream, in order, with its steps', async () => {
  const stream = followEvents('types=network.*');
  await stream.saw('stream.ready');
  const { body } = await createNetwork({ privateKeyRef: { name: key.name } });
  const isOurs = ({ object }: { object?: { id: string } }) => object?.id === body.id;
  const { object } = await stream.saw('network.operational', isOurs);
  expect(object.status.state).toBe('Operational');
  // Its URLs are those that REST returns.
  const { body: read } = await call('GET', `/v1alpha/networks/${body.id}`);
  expect(object.status.endpoints).toEqual(read.status.endpoints);
  await remove(body.id);
  await stream.saw('network.deleted', isOurs);
  await stream.stop();
  const types = typesOf(stream.events, body.id);
  expect(types[0]).toBe('network.created');
  expect(types).toContain('network.step');
  expect(types.filter((type) => type === 'network.operational')).toHaveLength(1);
  expect(types.indexOf('network.step')).toBeLessThan(types.indexOf('network.operational'));
  expect(types.at(-1)).toBe('network.deleted');
});

it('following a stopped network does not wake it', async () => {
  const { body } = await createNetwork({ privateKeyRef: { name: key.name } });
  await reach(body.id, 'Operational');
  const stream = followEvents(`types=network.*&selector=${encodeURIComponent(`id == ${body.id}`)}`);
  await stream.saw('stream.ready');
  await call('POST', `/v1alpha/networks/${body.id}/stop`);
  await stream.saw('network.stopped');
  const second = followEvents(`selector=${encodeURIComponent(`network_id == ${body.id}`)}`);
  const { object } = await second.saw('network.present');
  expect(object.status.state).toBe('Stopped');
  const { body: list } = await call('GET', `/v1alpha/networks?selector=metadata.name==${body.name}`);
  expect(list.items[0].status.state).toBe('Stopped');
  expect(stream.events.filter(({ type }) => type === 'network.pending')).toEqual([]);
  await Promise.all([stream.stop(), second.stop()]);
  await remove(body.id);
});

it('a secret is in the stream without its data', async () => {
  const stream = followEvents('types=secret.*');
  await stream.saw('stream.ready');
  const name = freshName('event');
  const data = Buffer.from('not in the stream').toString('base64');
  const { body } = await call('POST', '/v1alpha/secrets', { body: { name, type: 'text', data } });
  const { object } = await stream.saw('secret.created', (event) => event.object.id === body.id);
  expect([object.name, object.data]).toEqual([name, undefined]);
  await call('DELETE', `/v1alpha/secrets/${body.id}`);
  await stream.saw('secret.deleted', (event) => event.object.id === body.id);
  await stream.stop();
});

it('the present alone, for scripts', async () => {
  const { status, headers, body } = await call('GET', '/v1alpha/events?follow=false&types=network.*');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  expect(body.trimEnd().split('\n').at(-1)).toContain('"type":"stream.ready"');
});
