import { outboxType } from '../api/resources/resources.ts';
import { asStored } from '../api/testing/stored.ts';
import { createFakeKube, type FakeKube } from '../kube/testing/fake/fake.ts';
import { packBatches } from './batches.ts';
import { createKnownQueue } from './knownQueue.ts';
import { newOutbox } from './outboxObjects.ts';

const ref = {
  namespace: 'ws',
  network: { name: 'net', uid: 'u', id: 'u' },
  incarnation: 'incarnation-1',
  signer: `0x${'aa'.repeat(20)}`,
};
const batchAt = (first: number) => ({
  id: String(first).padStart(16, '0'),
  first,
  count: 1,
  hashes: 'ab'.repeat(32),
  acceptedAt: '2030-01-02T03:04:05Z',
});
const archives = 50;

test('a written batch is looked for in the archive page by page, and no further than it is found', async () => {
  const kube = createFakeKube();
  const queue = newOutbox(ref, 'queue', { batches: packBatches([]) });
  kube.seed(outboxType, asStored({ ...queue, spec: { ...queue.spec, archived: archives } }));
  for (let at = 0; at < archives; at += 1) {
    const suffix = `-archive-${String(at).padStart(2, '0')}`;
    kube.seed(
      outboxType,
      asStored(newOutbox(ref, 'archive', { suffix, batches: packBatches([batchAt(at)]) })),
    );
  }
  const limits: (number | undefined)[] = [];
  const list: FakeKube['list'] = (type, options) => {
    limits.push(options?.limit);
    return kube.list(type, options);
  };
  const known = createKnownQueue({ ...kube, list }, ref);
  expect(await known.findWritten(batchAt(25), 0)).toMatchObject({ first: 25 });
  expect(limits).toEqual([20, 20]);
  expect(await known.findWritten(batchAt(archives), 0)).toBeUndefined();
  expect(limits).toEqual([20, 20, 20, 20, 20]);
});

test('the archive is not read for a batch whose nonces nobody has taken', async () => {
  const kube = createFakeKube();
  const queue = newOutbox(ref, 'queue', { batches: packBatches([]), next: 7, archived: archives });
  kube.seed(outboxType, asStored(queue));
  const known = createKnownQueue(kube, ref);
  expect(await known.findWritten(batchAt(7), 0)).toBeUndefined();
  expect(kube.requests.map(({ verb }) => verb)).toEqual(['get']);
});
