import { maxUsageDays } from '../../../core/api/resources/records/usageRecord.ts';
import { usageRecordType } from '../../../core/api/resources/resources.ts';
import { createFakeKube, type FakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { silentLog } from '../../../core/lib/log.ts';
import { createManualClock } from '../../../core/lib/manualClock.ts';
import { createWorkspaceLabel } from '../../../core/storage/metrics.ts';
import { addToDay, noUsage } from './days.ts';
import { createUsageLedger } from './ledger.ts';

const startMs = Date.parse('2031-03-01T23:59:00Z');
const namespace = 'ws-one';

let kube: FakeKube;
let clock: ReturnType<typeof createManualClock>;
beforeEach(() => {
  kube = createFakeKube();
  clock = createManualClock(startMs);
});

const ledger = (over: Pick<FakeKube, 'get' | 'create' | 'replace'> = kube) =>
  createUsageLedger({ kube: over, clock, log: silentLog });
const days = async () => (await kube.get(usageRecordType, { namespace, name: 'usage' }))?.spec.days;

test('what was counted is added to the record of the day', async () => {
  const counts = ledger();
  counts.add(namespace, { rpcCalls: 2 });
  counts.add(namespace, { rpcCalls: 3, transactions: 1 });
  await counts.flush();
  counts.add(namespace, { networkSeconds: 60 });
  await counts.flush();
  expect(await days()).toEqual([{ day: '2031-03-01', rpcCalls: 5, transactions: 1, networkSeconds: 60 }]);
});

test('a new day begins at midnight, UTC', async () => {
  const counts = ledger();
  counts.add(namespace, { rpcCalls: 1 });
  await counts.flush();
  await clock.advance(60_000);
  counts.add(namespace, { rpcCalls: 1 });
  await counts.flush();
  expect((await days())?.map(({ day }) => day)).toEqual(['2031-03-01', '2031-03-02']);
});

test('processes that write at the same time lose nothing', async () => {
  const processes = Array.from({ length: 4 }, () => ledger());
  for (const one of processes) one.add(namespace, { rpcCalls: 10 });
  await Promise.all(processes.map((one) => one.flush()));
  expect(await days()).toMatchObject([{ rpcCalls: 40 }]);
});

test('what cannot be written is kept for the next time', async () => {
  let isDown = true;
  const get: FakeKube['get'] = (type, ref) => {
    if (isDown) throw new AppError('Unavailable', 'not now');
    return kube.get(type, ref);
  };
  const counts = ledger({ ...kube, get });
  counts.add(namespace, { rpcCalls: 1 });
  await counts.flush();
  expect(counts.pendingOf(namespace)).toEqual({ ...noUsage, rpcCalls: 1 });
  isDown = false;
  counts.add(namespace, { rpcCalls: 1 });
  await counts.flush();
  expect(await days()).toMatchObject([{ rpcCalls: 2 }]);
});

test('counts of a namespace that is gone are forgotten', async () => {
  const create: FakeKube['create'] = async () => {
    throw new AppError('NotFound', 'no such namespace');
  };
  const counts = ledger({ ...kube, create });
  counts.add(namespace, { rpcCalls: 1 });
  await counts.flush();
  expect(counts.pendingOf(namespace)).toEqual(noUsage);
});

test('the last counts are written when the process stops', async () => {
  const counts = ledger();
  const stopping = new AbortController();
  const running = counts.run(stopping.signal);
  counts.add(namespace, { transactions: 1 });
  stopping.abort();
  await running;
  expect(await days()).toMatchObject([{ transactions: 1 }]);
});

test('a record keeps a bounded number of days', () => {
  const all = Array.from({ length: maxUsageDays + 3 }, (_, index) =>
    new Date(startMs + index * 86_400_000).toISOString().slice(0, 10),
  );
  const kept = all.reduce((known, day) => addToDay(known, day, noUsage), addToDay([], '2020-01-01', noUsage));
  expect(kept.map(({ day }) => day)).toEqual(all.slice(-maxUsageDays));
});

test('workspaces beyond the budget of labels share one', () => {
  const label = createWorkspaceLabel(2);
  expect(['a', 'b', 'c', 'a', 'd'].map(label)).toEqual(['a', 'b', 'other', 'a', 'other']);
});
