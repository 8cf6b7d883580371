import { outboxType } from '../../core/api/resources/resources.ts';
import { asStored } from '../../core/api/testing/stored.ts';
import { createFakeKube } from '../../core/kube/testing/fake/fake.ts';
import { toRfc3339 } from '../../core/lib/clock.ts';
import { countTurns } from '../../core/lib/testing/turns.ts';
import { packBatches } from '../../core/outbox/batches.ts';
import { newOutbox } from '../../core/outbox/outboxObjects.ts';
import { readRecords } from './archives.ts';
import { trimOutbox } from './outboxCache.ts';

const queue = {
  namespace: 'ws',
  network: { name: 'net', uid: 'u', id: 'u' },
  incarnation: 'incarnation-1',
  signer: `0x${'aa'.repeat(20)}`,
};
const count = 500;

/** An archive of transactions that were accepted in this second. */
function anArchive(second: number) {
  const hashes = Array.from({ length: count }, (_, at) =>
    (second * count + at).toString(16).padStart(64, '0'),
  );
  const batch = {
    id: second.toString(16).padStart(16, '0'),
    first: second * count,
    count,
    hashes: hashes.join(''),
    acceptedAt: toRfc3339(second * 1000),
    results: JSON.stringify(hashes.map((_, at) => ['m', at, 21_000])),
  };
  return newOutbox(queue, 'archive', { suffix: `-a${second}`, batches: packBatches([batch]) });
}

/** Reads a page of a workspace with so many archives. `onRead` is told of the records of each object. */
function createReading(archives: number) {
  const kube = createFakeKube();
  const stored = Array.from({ length: archives }, (_, at) => asStored(anArchive(at + 1)));
  for (const one of stored) kube.seed(outboxType, one);
  const cached = stored.map(trimOutbox);
  const read: number[] = [];
  const page = (limit: number, matches: (nonce: number) => boolean = () => true) =>
    readRecords({ kube, outboxes: { byIndex: () => cached, get: () => undefined } }, 'ws', {
      matches: ({ nonce }) => matches(nonce),
      after: undefined,
      limit,
      onRead: (records) => read.push(records),
    });
  return { page, read, sum: () => read.reduce((sum, one) => sum + one, 0) };
}

test('what is read counts, whether it matches or not', async () => {
  const all = createReading(12);
  expect(await all.page(10, (nonce) => nonce === 500)).toHaveLength(1);
  expect(all.sum()).toBe(12 * count);
  const newest = createReading(12);
  expect(await newest.page(10)).not.toHaveLength(0);
  expect(newest.sum()).toBe(8 * count);
});

test('others have turns while archives are compared with what is asked for', async () => {
  const { page } = createReading(20);
  const none = createReading(0);
  const idle = await countTurns(() => none.page(10));
  expect(await countTurns(() => page(10, () => false))).toBeGreaterThanOrEqual(idle + 10);
});
