import { labels } from '../api/names.ts';
import { outboxType, recordingType, replayType, secretType } from '../api/resources/resources.ts';
import type { Kube } from '../kube/kube.ts';
import { createFakeKube, type FakeKube } from '../kube/testing/fake/fake.ts';
import { AppError } from '../lib/errors.ts';
import { mib } from './budget.ts';
import { budgetedKube } from './budgetedKube.ts';
import { isClosedToUsers } from './kinds.ts';
import { createStorageLedger, type StorageLedger } from './ledger.ts';

const namespace = 'ws-one';
const nothing = { list: () => [], onChange: () => () => undefined };
const secret = (name: string, size: number) =>
  ({
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Secret',
    metadata: { name, namespace },
    spec: { type: 'x', data: 'x'.repeat(size) },
  }) as never;
const stored = async (over: Pick<Kube, 'get'>, name: string) => {
  const found = await over.get(secretType, { namespace, name });
  if (!found) throw new Error(`no ${name}`);
  return found;
};

let cluster: FakeKube;
let ledger: StorageLedger;
let kube: FakeKube;
beforeEach(() => {
  cluster = createFakeKube();
  ledger = createStorageLedger({
    quota: { workspaceStoredMiB: 1, storedMiB: 16, workspaceCachedMiB: 256, cachedMiB: 1024 },
    records: nothing as never,
  });
  kube = budgetedKube(cluster, { ledger, isRefused: isClosedToUsers });
});

test('objects are created until the budget is used up, also when they come at once', async () => {
  const writes = Array.from({ length: 8 }, (_, index) =>
    kube.create(secretType, secret(`s${index}`, mib / 4)),
  );
  const outcomes = await Promise.allSettled(writes);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { status: 429 } });
  expect((await cluster.list(secretType, { namespace })).items).toHaveLength(3);
});

test('a creation that fails takes no room', async () => {
  await kube.create(secretType, secret('taken', 10));
  const { bytes } = ledger.usedIn(namespace);
  await expect(kube.create(secretType, secret('taken', mib / 2))).rejects.toMatchObject({ status: 409 });
  expect(ledger.usedIn(namespace).bytes).toBe(bytes);
});

test('a creation with an unknown outcome takes its room until the operator has counted', async () => {
  cluster.failNext({ verb: 'create', error: new AppError('Unavailable', 'cut off') });
  await expect(kube.create(secretType, secret('perhaps', mib / 2))).rejects.toMatchObject({ status: 503 });
  expect(ledger.usedIn(namespace).bytes).toBeGreaterThan(mib / 2);
});

test('a change counts as what it adds', async () => {
  const created = await kube.create(secretType, secret('one', 1000));
  const before = ledger.usedIn(namespace).bytes;
  const larger = { ...created, spec: { ...created.spec, data: 'x'.repeat(5000) } } as never;
  await kube.replace(secretType, larger);
  expect(ledger.usedIn(namespace).bytes - before).toBeGreaterThan(3000);
  expect(ledger.usedIn(namespace).bytes - before).toBeLessThan(5000);
});

test('when the budget is used up, what makes an object smaller passes, what makes it larger does not', async () => {
  await cluster.create(secretType, secret('old', mib / 2));
  ledger.take({ namespace, bytes: mib });
  const old = await stored(cluster, 'old');
  const sized = (size: number) => ({ ...old, spec: { ...old.spec, data: 'x'.repeat(size) } }) as never;
  await expect(kube.replace(secretType, sized(mib / 2 + 10))).rejects.toMatchObject({ status: 429 });
  await kube.replace(secretType, sized(100));
  expect(await kube.delete(secretType, { namespace, name: 'old' })).toBe(true);
});

const replay = (role: string) =>
  ({
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Replay',
    spec: { role },
    metadata: { name: `replay-${role}`, namespace, labels: { [labels.role]: role } },
  }) as never;

test('what exactly-once needs is never refused: sender queues, and the progress of a replay', async () => {
  ledger.take({ namespace, bytes: mib });
  const queue = {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Outbox',
    metadata: { name: 'queue', namespace },
  };
  await kube.create(outboxType, queue as never);
  await kube.create(replayType, replay('rows'));
  await expect(kube.create(replayType, replay('run'))).rejects.toMatchObject({ status: 429 });
  await expect(kube.create(replayType, replay('source'))).rejects.toMatchObject({ status: 429 });
});

test('what processes keep in memory is refused when they keep as much as they may, and what they do not keep is not', async () => {
  const small = createStorageLedger({
    quota: { workspaceStoredMiB: 16, storedMiB: 16, workspaceCachedMiB: 1, cachedMiB: 16 },
    records: nothing as never,
  });
  kube = budgetedKube(cluster, { ledger: small, isRefused: isClosedToUsers });
  await kube.create(secretType, secret('large', (mib * 3) / 4));
  await expect(kube.create(secretType, secret('next', mib / 2))).rejects.toMatchObject({
    status: 429,
    message: expect.stringContaining('quota.workspaceCachedMiB'),
  });
  const recording = { ...(secret('recorded', mib / 2) as object), kind: 'Recording' } as never;
  await expect(kube.create(recordingType, recording)).rejects.toMatchObject({ status: 429 });
  await kube.create(replayType, replay('run'));
});
