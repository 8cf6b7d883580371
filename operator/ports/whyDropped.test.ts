import { outboxType } from '../../core/api/resources/resources.ts';
import { createFakeKube } from '../../core/kube/testing/fake/fake.ts';
import { packBatches } from '../../core/outbox/batches.ts';
import { newOutbox } from '../../core/outbox/outboxObjects.ts';
import { packed } from '../../core/outbox/packedTransactions.ts';
import { packResults, type Result } from '../../core/outbox/results.ts';
import { whyDropped } from './whyDropped.ts';

const network = { name: 'net', uid: 'u-1', id: 'id-1', namespace: 'ws' };
const queue = { namespace: 'ws', network, incarnation: 'one', signer: `0x${'5e'.repeat(20)}` };
const hash = `0x${'ab'.repeat(32)}`;
const idempotencyKey = 'scope/step';

it.each<[string, Result | undefined, string | undefined]>([
  ['is not settled', undefined, undefined],
  ['was dropped', { state: 'dropped', reason: 'its nonce was used' }, 'its nonce was used'],
  [
    'was in a block that is gone',
    { state: 'mined', block: 1, gasUsed: 1 },
    'the chain was rolled back past its block',
  ],
])('a transaction without a receipt that %s', async (_reason, result, expected) => {
  const kube = createFakeKube();
  const { hashes } = packed([{ nonce: 0, hash, raw: '0x00' }]);
  const batch = {
    id: '0'.repeat(16),
    first: 0,
    count: 1,
    acceptedAt: '2026-01-01T00:00:00Z',
    idempotencyKey,
  };
  const batches = packBatches([
    { ...batch, hashes, raw: 'AA==', ...(result ? { results: packResults([result]) } : {}) },
  ]);
  await kube.create(outboxType, newOutbox(queue, 'queue', { batches }));
  expect(await whyDropped(kube, network, { idempotencyKey, hash })).toBe(expected);
});

it('a transaction without a receipt and without a record was settled long ago', async () => {
  const reason = await whyDropped(createFakeKube(), network, { idempotencyKey, hash });
  expect(reason).toBe('it is not on the chain, and not waiting to be sent');
});
