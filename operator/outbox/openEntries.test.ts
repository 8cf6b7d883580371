import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { createSenderQueues } from '../../core/outbox/senderQueues.ts';
import { aSubmission, headOf } from '../../core/outbox/testing/senderQueues.ts';
import type { Signer } from '../../core/signing/signer.ts';
import { createReadRaw } from './bytes.ts';
import { createQueueMemory } from './memory.ts';
import { openQueue } from './openEntries.ts';

const batchSize = 1000;
const batches = 4;
const rawOf = (nonce: number) => `0x${nonce.toString(16).padStart(240, '0')}`;
/** Signing four thousand transactions takes seconds. */
const signer: Signer = {
  sign: async (_key, transactions) =>
    transactions.map(({ nonce }) => ({
      nonce,
      hash: `0x${nonce.toString(16).padStart(64, '0')}`,
      raw: rawOf(nonce),
    })),
  close: async () => undefined,
};

let kube: FakeKube;
beforeEach(async () => {
  kube = createFakeKube();
  const queues = createSenderQueues({ kube, signer, clock: systemClock });
  for (let index = 0; index < batches; index++) await queues.submit(aSubmission({ count: batchSize }));
});

test('a long sender queue is opened only as far as it may be mined next, and without signed bytes', async () => {
  const head = (await headOf(kube))!;
  const { entries } = await openQueue({ kube }, head, createQueueMemory());
  expect(entries.map(({ nonce }) => nonce)).toEqual(
    Array.from({ length: 2 * batchSize }, (_, nonce) => nonce),
  );
  expect(Math.max(...entries.slice(0, 10).map((entry) => JSON.stringify(entry).length))).toBeLessThan(1000);
});

test('parts are read once, and again only for their bytes', async () => {
  const head = (await headOf(kube))!;
  const memory = createQueueMemory();
  await openQueue({ kube }, head, memory);
  kube.requests.length = 0;
  const { entries } = await openQueue({ kube }, head, memory);
  expect(kube.requests).toEqual([]);
  const readRaw = createReadRaw({ kube }, head);
  const raws: string[] = [];
  for (const entry of entries.slice(0, 50)) raws.push(await readRaw(entry));
  expect(kube.requests.length).toBeLessThanOrEqual(2);
  expect(raws).toEqual(raws.map((_, nonce) => rawOf(nonce)));
});
