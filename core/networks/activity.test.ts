import type { NetworkStatus } from '../api/resources/networkStatus.ts';
import { networkType } from '../api/resources/resources.ts';
import { aNetwork } from '../api/testing/builders.ts';
import { createFakeKube } from '../kube/testing/fake/fake.ts';
import { parseRfc3339, toRfc3339 } from '../lib/clock.ts';
import { compact } from '../lib/compact.ts';
import { AppError } from '../lib/errors.ts';
import { silentLog } from '../lib/log.ts';
import { createManualClock } from '../lib/manualClock.ts';
import { createTouch } from './activity.ts';

const startMs = Date.parse('2026-01-01T12:00:00Z');
const ago = (seconds: number) => toRfc3339(startMs - seconds * 1000);

function setUp(status?: NetworkStatus, metadata: object = {}) {
  const clock = createManualClock(startMs);
  const kube = createFakeKube({ clock });
  const options = { namespace: 'ws-one', metadata, ...compact({ status }) };
  const network = kube.seed(networkType, aNetwork(options));
  const woken: string[] = [];
  const touch = createTouch({ kube, wake: (uid) => void woken.push(uid), clock, log: silentLog });
  const writes = () => kube.requests.filter(({ verb }) => verb === 'apply').length;
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const stored = async () => (await kube.get(networkType, network.metadata))?.status;
  return { clock, kube, network, touch, woken, writes, settle, stored };
}

it('writes the time of activity into the status and does not change the rest', async () => {
  const { network, touch, settle, stored } = setUp({ state: 'Operational', message: 'ok' });
  touch(network);
  await settle();
  expect(await stored()).toEqual({ state: 'Operational', message: 'ok', lastActivityAt: toRfc3339(startMs) });
});

it('at most once a minute per network', async () => {
  const { clock, network, touch, writes, settle } = setUp({ state: 'Operational' });
  for (let second = 0; second < 60; second++) {
    touch(network);
    await settle();
    clock.advance(1000);
  }
  expect(writes()).toBe(1);
  touch(network);
  expect(writes()).toBe(1);
  await settle();
  expect(writes()).toBe(2);
});

it.each<[string, NetworkStatus | undefined, number]>([
  ['another replica wrote half a minute ago', { state: 'Operational', lastActivityAt: ago(30) }, 0],
  ['another replica wrote long ago', { state: 'Operational', lastActivityAt: ago(90) }, 1],
  ['the operator has not reconciled it yet', undefined, 1],
])('writes or not: %s', async (_reason, status, count) => {
  const { network, touch, writes, settle } = setUp(status);
  touch(network);
  await settle();
  expect(writes()).toBe(count);
});

const wake = (text: string) => ({ annotations: { 'slipway.dev/wake': text } });
it.each<[string, NetworkStatus, object, number]>([
  ['it is stopped', { state: 'Stopped' }, {}, 1],
  ['it is about to be', { state: 'Stopping' }, {}, 1],
  ['it is stopped although it was just active', { state: 'Stopped', lastActivityAt: ago(1) }, {}, 1],
  ['it was woken before', { state: 'Stopped', observedWake: 'a' }, wake('a'), 1],
  ['a wake request is pending', { state: 'Stopped', observedWake: 'a' }, wake('b'), 0],
  ['it runs', { state: 'Operational' }, {}, 0],
])('wakes or not: %s', (_reason, status, metadata, count) => {
  const { network, touch, woken } = setUp(status, metadata);
  touch(network);
  touch(network);
  expect(woken).toEqual(Array.from({ length: count }, () => network.metadata.uid));
});

it('requests a stopped network to wake once a second until the cache shows it', () => {
  const { clock, network, touch, woken } = setUp({ state: 'Stopped' });
  for (let tenth = 0; tenth < 30; tenth++) {
    touch(network);
    clock.advance(100);
  }
  expect(woken).toHaveLength(3);
});

it('ignores a network that is being deleted', async () => {
  const metadata = { deletionTimestamp: ago(1), finalizers: ['x/y'] };
  const { network, touch, woken, writes, settle } = setUp({ state: 'Stopped' }, metadata);
  touch(network);
  await settle();
  expect([woken, writes()]).toEqual([[], 0]);
});

it('a failed write is harmless and is retried on the next activity', async () => {
  const { kube, network, touch, settle, stored } = setUp({ state: 'Operational' });
  kube.failNext({ verb: 'apply', error: new AppError('Unavailable', 'down') });
  touch(network);
  await settle();
  expect(await stored()).toEqual({ state: 'Operational' });
  touch(network);
  await settle();
  expect(parseRfc3339((await stored())?.lastActivityAt)).toBe(startMs);
});
