import type { OutboxRole } from '../../core/api/resources/outbox.ts';
import { asStored } from '../../core/api/testing/stored.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import { batchesOf, packBatches } from '../../core/outbox/batches.ts';
import { newOutbox } from '../../core/outbox/outboxObjects.ts';
import { archivesAmong, createOutboxCache, trimOutbox } from './outboxCache.ts';

const queue = {
  namespace: 'ws',
  network: { name: 'net', uid: 'u', id: 'u' },
  incarnation: 'incarnation-1',
  signer: `0x${'aa'.repeat(20)}`,
};
const count = 500;
const hashes = Array.from({ length: count }, (_, index) => index.toString(16).padStart(8, '0').repeat(8));
const batch = {
  id: '0123456789abcdef',
  first: 0,
  count,
  hashes: hashes.join(''),
  raw: hashes.join(','),
  acceptedAt: '2030-01-02T03:04:05Z',
  results: JSON.stringify(hashes.map((_, index) => ['m', index, 21_000])),
};
const anOutbox = (role: OutboxRole) =>
  trimOutbox(asStored(newOutbox(queue, role, { suffix: `-${role}`, batches: packBatches([batch]) })));

test('an archive in memory is far smaller than what it contains, and is found by each of its hashes', () => {
  const archive = anOutbox('archive');
  expect(JSON.stringify(archive).length).toBeLessThan(600);
  const nameOf = (hash: string) => archivesAmong([archive], `0x${hash}`).map(({ name }) => name);
  expect(hashes.filter((hash) => nameOf(hash).length === 0)).toEqual([]);
  expect(nameOf('ff'.repeat(32))).toEqual([]);
  expect(archivesAmong([archive])).toMatchObject([{ oldestMs: Date.parse(batch.acceptedAt) }]);
});

test('a part in memory has its hashes and no signed bytes', () => {
  const [piece] = batchesOf(anOutbox('bytes'));
  expect(piece).toMatchObject({ hashes: batch.hashes });
  expect(piece).not.toHaveProperty('raw');
});

test('a sender queue in memory is complete', () => {
  expect(batchesOf(anOutbox('queue'))).toEqual([batch]);
});

test('archives are listed a few at a time: while a page is parsed, it takes eight times its size', async () => {
  const kube = createFakeKube();
  const limits: (number | undefined)[] = [];
  const list: FakeKube['list'] = (type, options) => {
    limits.push(options?.limit);
    return kube.list(type, options);
  };
  const cache = createOutboxCache({ kube: { ...kube, list }, clock: systemClock, log: silentLog });
  cache.start();
  await cache.whenSynced();
  await cache.stop();
  expect(limits).toEqual([20]);
});
