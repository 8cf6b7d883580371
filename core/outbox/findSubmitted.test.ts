import { createFakeKube, type FakeKube } from '../kube/testing/fake/fake.ts';
import { findDropReason, findSubmittedHashes } from './findSubmitted.ts';
import type { Result } from './results.ts';
import { aSubmission, queue, queuesOver, settle } from './testing/senderQueues.ts';

const network = { namespace: queue.namespace, uid: queue.network.uid };
const idempotencyKey = 'deploy token';

describe('the hashes of an idempotency key on a network', () => {
  let kube: FakeKube;
  beforeEach(() => {
    kube = createFakeKube();
  });

  it('are found while the transactions are open, and after they were archived', async () => {
    const { hashes } = await queuesOver(kube).submit(aSubmission({ count: 2, idempotencyKey }));
    expect(await findSubmittedHashes(kube, network, idempotencyKey)).toEqual(hashes);
    await settle(kube);
    expect(await findSubmittedHashes(kube, network, idempotencyKey)).toEqual(hashes);
  });

  it('are found in an earlier incarnation of the network', async () => {
    const { hashes } = await queuesOver(kube).submit(aSubmission({ idempotencyKey }));
    await queuesOver(kube).submit(aSubmission({ queue: { ...queue, incarnation: 'incarnation-2' } }));
    expect(await findSubmittedHashes(kube, network, idempotencyKey)).toEqual(hashes);
  });

  it('are undefined for a new key and on another network', async () => {
    await queuesOver(kube).submit(aSubmission({ idempotencyKey }));
    expect(await findSubmittedHashes(kube, network, 'another')).toBeUndefined();
    expect(await findSubmittedHashes(kube, { ...network, uid: 'u-2' }, idempotencyKey)).toBeUndefined();
  });
});

describe('why a transaction that is in no block never will be', () => {
  const dropped: Result = { state: 'dropped', reason: 'its nonce was used' };
  const mined: Result = { state: 'mined', block: 1, gasUsed: 1 };

  it.each<[string, Result[] | undefined, string | undefined]>([
    ['it is open', undefined, undefined],
    ['it was dropped', [mined, dropped], 'its nonce was used'],
    ['its block is gone', [dropped, mined], 'the chain went back to before its block'],
  ])('%s', async (_reason, results, expected) => {
    const kube = createFakeKube();
    const { hashes } = await queuesOver(kube).submit(aSubmission({ count: 2, idempotencyKey }));
    const asked = { idempotencyKey, hash: hashes[1] ?? '' };
    if (results) await settle(kube, results);
    expect(await findDropReason(kube, network, asked)).toBe(expected);
  });

  it('it is no longer recorded', async () => {
    const asked = { idempotencyKey, hash: '0x1' };
    expect(await findDropReason(createFakeKube(), network, asked)).toBe('it was settled long ago');
  });
});
