import { apiVersion } from '../api/names.ts';
import type { StoredBytes } from '../api/resources/records/storedBytes.ts';
import { usageRecordType } from '../api/resources/resources.ts';
import { createFakeKube, type FakeKube } from '../kube/testing/fake/fake.ts';
import { settle } from '../kube/testing/settle.ts';
import { toRfc3339 } from '../lib/clock.ts';
import { silentLog } from '../lib/log.ts';
import { createManualClock } from '../lib/manualClock.ts';
import { mib } from './budget.ts';
import { countedAfterMs, createStorageLedger, isStorageRefusal } from './ledger.ts';
import { createStorageRecords } from './records.ts';

const startMs = Date.parse('2031-03-01T12:00:00Z');
const namespace = 'ws-one';
const quota = { workspaceStoredMiB: 1, storedMiB: 16, workspaceCachedMiB: 256, cachedMiB: 1024 };

let kube: FakeKube;
let records: ReturnType<typeof createStorageRecords>;
beforeEach(async () => {
  kube = createFakeKube();
  records = createStorageRecords({ kube, clock: createManualClock(startMs), log: silentLog });
  records.start();
  await records.whenSynced();
});
afterEach(() => records.stop());

/** What the operator counted, as it publishes it. */
async function publish(stored: Partial<StoredBytes>): Promise<void> {
  const metadata = { name: 'usage', namespace };
  const status = { stored: { asOf: toRfc3339(startMs), account: 'ann', bytes: 0, kinds: {}, ...stored } };
  const known = await kube.get(usageRecordType, metadata);
  if (!known)
    await kube.create(usageRecordType, { apiVersion, kind: 'UsageRecord', metadata, spec: { days: [] } });
  await kube.patch(usageRecordType, metadata, { status }, 'status');
  await settle();
}

const ledger = () => createStorageLedger({ quota, records });

test('what the operator counted and what this process has stored since count together', async () => {
  const storage = ledger();
  await publish({ bytes: mib / 2, kinds: { secrets: mib / 2 } });
  storage.take({ namespace, bytes: mib / 4 }).stored(startMs + 1);
  expect(storage.usedIn(namespace)).toMatchObject({ account: 'ann', bytes: (mib / 4) * 3 });
  expect(() => storage.take({ namespace, bytes: mib / 2 })).toThrow(/budget of 1 MiB/);
});

test('a refusal is TooManyRequests, and told from others', async () => {
  const storage = ledger();
  const refusal = storage.refusal({ namespace, bytes: 2 * mib });
  expect(refusal).toMatchObject({ status: 429, retryAfterSeconds: 60 });
  expect([refusal, new Error('other')].map(isStorageRefusal)).toEqual([true, false]);
});

test('writes under way count, so that many at once do not run past the budget', () => {
  const storage = ledger();
  const taken = Array.from({ length: 4 }, () => storage.take({ namespace, bytes: mib / 4 }));
  expect(storage.refusal({ namespace, bytes: 1 })).toBeDefined();
  taken[0]?.giveBack();
  expect(storage.refusal({ namespace, bytes: mib / 4 })).toBeUndefined();
});

test('what was stored is counted once: by this process until the operator has certainly seen it', async () => {
  const storage = ledger();
  const atMs = startMs + 1000;
  storage.take({ namespace, bytes: 1000 }).stored(atMs);
  await publish({ bytes: 0, asOf: toRfc3339(atMs + countedAfterMs - 1000) });
  expect(storage.usedIn(namespace).bytes).toBe(1000);
  await publish({ bytes: 1200, asOf: toRfc3339(atMs + countedAfterMs) });
  expect(storage.usedIn(namespace).bytes).toBe(1200);
});

test('what is being stored while the operator counts stays', async () => {
  const storage = ledger();
  const taken = storage.take({ namespace, bytes: 1000 });
  await publish({ bytes: 10, asOf: toRfc3339(startMs + 3600_000) });
  expect(storage.usedIn(namespace).bytes).toBe(1010);
  taken.giveBack();
  expect(storage.usedIn(namespace).bytes).toBe(10);
});

test('usage by day that is written without a count changes nothing', async () => {
  const storage = ledger();
  storage.take({ namespace, bytes: 1000 }).stored(startMs);
  const metadata = { name: 'usage', namespace };
  await kube.create(usageRecordType, { apiVersion, kind: 'UsageRecord', metadata, spec: { days: [] } });
  await settle();
  expect(storage.usedIn(namespace).bytes).toBe(1000);
});

test('a workspace that is deleted stores nothing', async () => {
  const storage = ledger();
  await publish({ bytes: mib });
  expect([...storage.holdings().keys()]).toEqual([namespace]);
  await kube.delete(usageRecordType, { namespace, name: 'usage' });
  await settle();
  expect([...storage.holdings()]).toEqual([]);
});

test('while nobody counts, additions take little memory and stay', () => {
  const storage = ledger();
  for (let second = 0; second < 1000; second++) {
    storage.take({ namespace, bytes: 10 }).stored(startMs + second * 1000);
  }
  expect(storage.usedIn(namespace).bytes).toBe(10_000);
});

test('making an object smaller is never refused', async () => {
  const storage = ledger();
  await publish({ bytes: 2 * mib });
  expect(storage.refusal({ namespace, bytes: 0 })).toBeUndefined();
  expect(storage.refusal({ namespace, bytes: 1 })).toBeDefined();
});

test('what was stored since the count is known by its kind', () => {
  const storage = ledger();
  storage.take({ namespace, bytes: 100, kind: 'secrets' }).stored(startMs);
  storage.take({ namespace, bytes: 10, kind: 'secrets' });
  storage.take({ namespace, bytes: 1 });
  expect(storage.usedIn(namespace)).toMatchObject({ bytes: 111, kinds: { secrets: 110 } });
});
