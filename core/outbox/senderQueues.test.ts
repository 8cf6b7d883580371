import type { OutboxResource } from '../api/resources/outbox.ts';
import { outboxType } from '../api/resources/resources.ts';
import { createFakeKube, type FakeKube } from '../kube/testing/fake/fake.ts';
import { createManualClock } from '../lib/manualClock.ts';
import { batchesOf, packBatches } from './batches.ts';
import { marksOf } from './marks.ts';
import { openLimits } from './openBudget.ts';
import { queueNameOf } from './outboxObjects.ts';
import { createSenderQueues } from './senderQueues.ts';
import {
  address,
  aSubmission,
  entriesOf,
  expectWhole,
  headOf,
  queue,
  queuesOver,
  settle,
  signer,
  transfers,
} from './testing/senderQueues.ts';

let kube: FakeKube;
beforeEach(() => {
  kube = createFakeKube();
});

test('a submission is in the Outbox before it is answered, and its network owns it', async () => {
  const { hashes, signed, isRepeated } = await queuesOver(kube).submit(
    aSubmission({ count: 3, user: 'ann' }),
  );
  expect(isRepeated).toBe(false);
  expect(signed.map(({ hash }) => hash)).toEqual(hashes);
  await expectWhole(kube, hashes);
  const head = await headOf(kube);
  expect(head?.spec).toMatchObject({ role: 'queue', networkID: 'u-1', signer: address });
  expect(Object.values(marksOf(head))).toEqual([{ instance: '0x01' }]);
  expect(batchesOf(head)).toMatchObject([{ first: 0, count: 3, user: 'ann' }]);
  expect(head?.metadata.ownerReferences).toMatchObject([{ kind: 'Network', uid: 'u-1' }]);
});

test('order is kept within a submission and from one to the next', async () => {
  const queues = queuesOver(kube);
  const first = await queues.submit(aSubmission({ count: 2 }));
  const second = await queues.submit(aSubmission({ count: 2 }));
  expect((await entriesOf(kube)).map(({ hash }) => hash)).toEqual([...first.hashes, ...second.hashes]);
});

test('a sender queue that was not used for a minute is not kept in memory: it is read again', async () => {
  const clock = createManualClock();
  const queues = createSenderQueues({ kube, signer, clock, random: () => 0 });
  const reads = () => kube.requests.filter(({ verb }) => verb === 'get').length;
  await queues.submit(aSubmission());
  clock.advance(59_000);
  await queues.submit(aSubmission());
  expect(reads()).toBe(1);
  clock.advance(60_000);
  await queues.submit(aSubmission({ queue: { ...queue, incarnation: 'incarnation-2' } }));
  await queues.submit(aSubmission());
  expect(reads()).toBe(3);
});

test('concurrent submissions share a write', async () => {
  const queues = queuesOver(kube);
  const accepted = await Promise.all(Array.from({ length: 50 }, () => queues.submit(aSubmission())));
  await expectWhole(
    kube,
    accepted.flatMap(({ hashes }) => hashes),
  );
  expect(kube.requests.filter(({ verb }) => verb === 'create' || verb === 'replace')).toHaveLength(2);
});

test('100 submissions over three processes: nonces 0 to 99 without duplicates or gaps', async () => {
  const processes = [queuesOver(kube), queuesOver(kube), queuesOver(kube)];
  const accepted = await Promise.all(
    Array.from({ length: 100 }, (_, index) => processes[index % 3]!.submit(aSubmission())),
  );
  await expectWhole(
    kube,
    accepted.flatMap(({ hashes }) => hashes),
  );
});

describe('the first nonce', () => {
  test('is the one of the node when the account was used before', async () => {
    const { hashes } = await queuesOver(kube).submit(aSubmission({ pendingCount: 7 }));
    await expectWhole(kube, hashes, 7);
  });

  test('skips nonces that others used meanwhile', async () => {
    const queues = queuesOver(kube);
    await queues.submit(aSubmission());
    await queues.submit(aSubmission({ pendingCount: 5 }));
    expect((await entriesOf(kube)).map(({ nonce }) => nonce)).toEqual([0, 5]);
  });

  test('follows the open transactions, whatever the node has received of them', async () => {
    const queues = queuesOver(kube);
    await queues.submit(aSubmission({ count: 3 }));
    await queues.submit(aSubmission({ pendingCount: 1 }));
    expect((await entriesOf(kube)).map(({ nonce }) => nonce)).toEqual([0, 1, 2, 3]);
  });

  test('follows a chain that was rolled back, once nothing is open, by a count taken after the sender queue was read', async () => {
    const queues = queuesOver(kube);
    await queues.submit(aSubmission({ count: 3 }));
    await settle(kube);
    let asked = 0;
    const node = {
      instance: '0x01',
      areKnown: async () => [],
      pendingCount: 1,
      countNonces: async () => {
        asked = kube.requests.length;
        return 2;
      },
    };
    await queuesOver(kube).submit(aSubmission({ node }));
    expect((await entriesOf(kube)).map(({ nonce }) => nonce)).toEqual([2]);
    expect(kube.requests.slice(0, asked).some(({ verb }) => verb === 'get')).toBe(true);
  });
});

test('a sender queue goes on with another process of the same chain, and stores for which each was accepted', async () => {
  const queues = queuesOver(kube);
  await queues.submit(aSubmission());
  const node = { instance: '0x02', pendingCount: 0, countNonces: async () => 0, areKnown: async () => [] };
  await queues.submit(aSubmission({ node }));
  expect((await entriesOf(kube)).map(({ nonce }) => nonce)).toEqual([0, 1]);
  const marks = Object.values(marksOf(await headOf(kube)));
  expect(marks).toEqual([{ instance: '0x01' }, { instance: '0x02' }]);
});

test('another incarnation of the network has another sender queue', async () => {
  const queues = queuesOver(kube);
  await queues.submit(aSubmission({ count: 2 }));
  const next = aSubmission({ queue: { ...queue, incarnation: 'incarnation-2' } });
  await queues.submit(next);
  const other = await kube.get(outboxType, { namespace: 'ws', name: queueNameOf(next.queue) });
  expect(batchesOf(other)).toMatchObject([{ first: 0, count: 1 }]);
});

describe('large submissions', () => {
  const heavy = `0x${'ab'.repeat(24_000)}`;
  const sizes = async () =>
    (await kube.list(outboxType, {})).items.map((item) => JSON.stringify(item).length);

  test.each([
    ['1000 transfers', transfers(1000)],
    ['20 contracts of 24 kB', transfers(20, heavy)],
    ['60 contracts of 24 kB', transfers(60, heavy)],
  ])('%s are accepted completely, in objects of less than 512 kB', async (_reason, transactions) => {
    const { hashes } = await queuesOver(kube).submit(aSubmission({ transactions }));
    await expectWhole(kube, hashes);
    expect(Math.max(...(await sizes()))).toBeLessThan(450_000);
  });

  test('the object of a growing sender queue stays small, and a full one is reported', async () => {
    const { hashes } = await queuesOver(kube).submit(aSubmission({ idempotencyKey: 'first' }));
    const head = (await headOf(kube)) as OutboxResource;
    const [batch] = batchesOf(head);
    const crowd = (count: number) =>
      Array.from({ length: count }, () => ({ ...batch!, request: 'r'.repeat(250) }));
    await kube.replace(outboxType, {
      ...head,
      spec: { ...head.spec, batches: packBatches([batch!, ...crowd(200)]) },
    });
    await queuesOver(kube).submit(aSubmission());
    expect(batchesOf(await headOf(kube)).at(-1)).toMatchObject({
      count: 1,
      parts: [expect.any(String)],
    });
    const later = (await headOf(kube)) as OutboxResource;
    await kube.replace(outboxType, {
      ...later,
      spec: { ...later.spec, batches: packBatches([batch!, ...crowd(800)]) },
    });
    const refused = queuesOver(kube).submit(aSubmission());
    await expect(refused).rejects.toMatchObject({
      reason: 'Unavailable',
      message: expect.stringMatching('wait'),
    });
    expect((await queuesOver(kube).submit(aSubmission({ idempotencyKey: 'first' }))).hashes).toEqual(hashes);
  });

  test('a sender queue with as much open as it may have refuses more, and answers what it has accepted', async () => {
    const { hashes } = await queuesOver(kube).submit(aSubmission({ idempotencyKey: 'first' }));
    const head = (await headOf(kube)) as OutboxResource;
    const [batch] = batchesOf(head);
    const crowd = { ...batch!, count: openLimits.queue.count, idempotencyKey: 'crowd' };
    await kube.replace(outboxType, {
      ...head,
      spec: { ...head.spec, batches: packBatches([batch!, crowd]) },
    });
    await expect(queuesOver(kube).submit(aSubmission())).rejects.toMatchObject({
      reason: 'Unavailable',
      message: expect.stringContaining('the budget is 20000 transactions and 32 MiB'),
      retryAfterSeconds: 5,
    });
    const again = await queuesOver(kube).submit(aSubmission({ idempotencyKey: 'first' }));
    expect(again).toMatchObject({ hashes, isRepeated: true });
  });

  test.each([
    ['more than 1000 transactions', transfers(1001)],
    ['none', []],
    ['more than 8 MB', transfers(1000, `0x${'ab'.repeat(9000)}`)],
  ])('%s are refused, and nothing is written', async (_reason, transactions) => {
    await expect(queuesOver(kube).submit(aSubmission({ transactions }))).rejects.toMatchObject({
      reason: 'BadRequest',
    });
    expect(await sizes()).toEqual([]);
  });
});

describe('the same idempotency key', () => {
  const idempotencyKey = 'deploy token';

  test('gives the same hashes and allocates nothing, also in another process', async () => {
    const queues = queuesOver(kube);
    const { hashes } = await queues.submit(aSubmission({ count: 2, idempotencyKey }));
    for (const process of [queues, queuesOver(kube)]) {
      const again = await process.submit(aSubmission({ count: 2, idempotencyKey }));
      expect(again).toMatchObject({ hashes, signed: [], isRepeated: true });
    }
    await expectWhole(kube, hashes);
  });

  test.each(['open', 'archived', 'concurrent'])(
    'with another body is a conflict while the first is %s',
    async (when) => {
      const queues = queuesOver(kube);
      const one = { idempotencyKey, digest: 'a1'.repeat(32) };
      const other = { idempotencyKey, digest: 'b2'.repeat(32) };
      const first = queues.submit(aSubmission(one));
      if (when !== 'concurrent') await first;
      if (when === 'archived') await settle(kube);
      const second = queues.submit(aSubmission(other));
      await expect(second).rejects.toMatchObject({ reason: 'Conflict' });
      const { hashes } = await first;
      expect((await queues.submit(aSubmission(one))).hashes).toEqual(hashes);
    },
  );

  test('of an archived submission is found without listing the archive', async () => {
    const { hashes } = await queuesOver(kube).submit(aSubmission({ idempotencyKey }));
    await settle(kube);
    kube.requests.length = 0;
    const found = await queuesOver(kube).findByIdempotencyKey(queue, idempotencyKey);
    expect(found?.hashes).toEqual(hashes);
    await queuesOver(kube).submit(aSubmission({ idempotencyKey: 'new' }));
    expect(kube.requests.filter(({ verb }) => verb === 'list')).toEqual([]);
  });

  test('used concurrently, in one process and in two, is submitted once', async () => {
    const [a, b] = [queuesOver(kube), queuesOver(kube)];
    const accepted = await Promise.all(
      [a, a, b, b].map((queues) => queues.submit(aSubmission({ idempotencyKey }))),
    );
    const hashes = new Set(accepted.flatMap((one) => one.hashes));
    expect(hashes.size).toBe(1);
    expect(accepted.filter(({ isRepeated }) => !isRepeated)).toHaveLength(1);
    await expectWhole(kube, [...hashes]);
  });

  test('is known when its batch is stored in parts, and when it was archived', async () => {
    const queues = queuesOver(kube);
    const { hashes } = await queues.submit(aSubmission({ count: 400, idempotencyKey }));
    expect((await queuesOver(kube).submit(aSubmission({ idempotencyKey }))).hashes).toEqual(hashes);
    await settle(kube);
    for (const process of [queues, queuesOver(kube)]) {
      expect(await process.submit(aSubmission({ idempotencyKey }))).toMatchObject({
        hashes,
        isRepeated: true,
      });
    }
  });
});
