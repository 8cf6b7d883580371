import { createFakeKube, type FakeKube } from '../kube/testing/fake/fake.ts';
import { findSubmitted } from './findSubmitted.ts';
import { aSubmission, queue, queuesOver, settle } from './testing/senderQueues.ts';

const network = { namespace: queue.namespace, id: queue.network.id };
const idempotencyKey = 'deploy token';

describe('the hashes of an idempotency key on a network', () => {
  let kube: FakeKube;
  beforeEach(() => {
    kube = createFakeKube();
  });

  it('are found while the transactions are open, and after they were archived', async () => {
    const { hashes } = await queuesOver(kube).submit(aSubmission({ count: 2, idempotencyKey }));
    expect((await findSubmitted(kube, network, idempotencyKey))?.hashes).toEqual(hashes);
    await settle(kube);
    expect((await findSubmitted(kube, network, idempotencyKey))?.hashes).toEqual(hashes);
  });

  it('are found in an earlier incarnation of the network', async () => {
    const { hashes } = await queuesOver(kube).submit(aSubmission({ idempotencyKey }));
    await queuesOver(kube).submit(aSubmission({ queue: { ...queue, incarnation: 'incarnation-2' } }));
    expect((await findSubmitted(kube, network, idempotencyKey))?.hashes).toEqual(hashes);
  });

  it('are undefined for a new key and on another network', async () => {
    await queuesOver(kube).submit(aSubmission({ idempotencyKey }));
    expect(await findSubmitted(kube, network, 'another')).toBeUndefined();
    expect(await findSubmitted(kube, { ...network, id: 'u-2' }, idempotencyKey)).toBeUndefined();
  });
});
