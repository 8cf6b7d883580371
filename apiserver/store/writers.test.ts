import { writerLeases } from '../../core/api/names.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { leaseType } from '../../core/kube/types.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import { createManualClock, type ManualClock } from '../../core/lib/manualClock.ts';
import { createWriters, type Writers } from './writers.ts';

const minuteMs = 60_000;
let kube: FakeKube;
let clock: ManualClock;
let one: Writers;
let other: Writers;

/** A replica; waits after conflicts pass by themselves. */
const replica = (name: string) =>
  createWriters({ kube, namespace: 'slipway-system', clock: systemClock, log: silentLog, replica: name });

beforeEach(() => {
  clock = createManualClock();
  kube = createFakeKube({ clock });
  [one, other] = [replica('one'), replica('other')];
});

it('what a replica announced is known to the others, and does not concern itself or other namespaces', async () => {
  const sinceMs = clock.nowMs();
  await one.announce('ws');
  expect(await other.hasOthers('ws', sinceMs)).toBe(true);
  expect(await other.hasOthers('elsewhere', sinceMs)).toBe(false);
  expect(await one.hasOthers('ws', sinceMs)).toBe(false);
});

it('an announcement that ended before does not count', async () => {
  await one.announce('ws');
  clock.advance(3 * minuteMs);
  expect(await other.hasOthers('ws', clock.nowMs())).toBe(false);
});

it('replicas that announce at the same time in all namespaces do not lose each other', async () => {
  const namespaces = Array.from({ length: 40 }, (_, index) => `ws-${index}`);
  await Promise.all([one, other].flatMap(({ announce }) => namespaces.map((name) => announce(name))));
  const seen = await Promise.all(
    namespaces.flatMap((name) => [one.hasOthers(name, clock.nowMs()), other.hasOthers(name, clock.nowMs())]),
  );
  expect(new Set(seen)).toEqual(new Set([true]));
});

it('while an announcement holds, writes cost nothing', async () => {
  await one.announce('ws');
  const before = kube.requests.length;
  for (let count = 0; count < 5; count++) await one.announce('ws');
  expect(kube.requests.slice(before)).toEqual([]);
});

it('a replica that goes on writing renews its announcement with one write', async () => {
  await one.announce('ws');
  clock.advance(0.5 * minuteMs);
  const before = kube.requests.length;
  await one.announce('ws');
  while (kube.requests.length === before) await new Promise(setImmediate);
  clock.advance(0.9 * minuteMs);
  expect(kube.requests.slice(before).map(({ verb }) => verb)).toEqual(['replace']);
  expect(await other.hasOthers('ws', clock.nowMs())).toBe(true);
});

it('announcements of 10,000 namespaces are remembered, and the oldest is made again when it is needed', async () => {
  const all = Array.from({ length: 10_001 }, (_, index) => `ws-${index}`);
  await Promise.all(all.map((name) => one.announce(name)));
  const before = kube.requests.length;
  await one.announce('ws-10000');
  expect(kube.requests.slice(before)).toEqual([]);
  await one.announce('ws-0');
  expect(kube.requests.slice(before).map(({ verb }) => verb)).toEqual(['replace']);
});

it('what others announced is remembered of 10,000 namespaces, and the oldest is read again', async () => {
  const sinceMs = clock.nowMs();
  await other.announce('ws');
  expect(await one.hasOthers('ws', sinceMs)).toBe(true);
  const before = kube.requests.length;
  expect(await one.hasOthers('ws', sinceMs)).toBe(true);
  expect(kube.requests.slice(before)).toEqual([]);
  for (let index = 0; index < 10_000; index++) await one.hasOthers(`ws-${index}`, sinceMs);
  const after = kube.requests.length;
  expect(await one.hasOthers('ws', sinceMs)).toBe(true);
  expect(kube.requests.slice(after).map(({ verb }) => verb)).toEqual(['get']);
});

it('a write is not answered without its announcement', async () => {
  kube.failNext({ verb: 'create', kind: leaseType.kind, error: new Error('down') });
  await expect(one.announce('ws')).rejects.toThrow('down');
});

it('a Lease that somebody broke by hand counts as written by others', async () => {
  for (const name of writerLeases) {
    const metadata = { name, namespace: 'slipway-system', annotations: { 'slipway.dev/writers': '{' } };
    await kube.create(leaseType, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata });
  }
  expect(await one.hasOthers('ws', clock.nowMs())).toBe(true);
});
