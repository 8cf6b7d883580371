import { newOutbox } from '../../core/outbox/outboxObjects.ts';
import { outboxIndexes } from './outboxIndexes.ts';

const queue = {
  namespace: 'ws',
  network: { name: 'net', uid: 'u', id: 'u' },
  incarnation: 'incarnation-1',
  signer: `0x${'aa'.repeat(20)}`,
};
const batch = {
  id: '0123456789abcdef',
  first: 0,
  count: 2,
  hashes: 'ab'.repeat(64),
  acceptedAt: '2030-01-02T03:04:05Z',
};

test('an Outbox is found by each hash in it', () => {
  const object = newOutbox(queue, 'queue', { batches: JSON.stringify([batch]) });
  expect(outboxIndexes.hash?.(object)).toEqual([`0x${'ab'.repeat(32)}`, `0x${'ab'.repeat(32)}`]);
  expect(outboxIndexes.namespace?.(object)).toEqual(['ws']);
});

test.each(['not JSON', '{}', '[{"id":"x"}]'])(
  'an Outbox with the batches "%s" is not found by any hash',
  (batches) => {
    expect(outboxIndexes.hash?.(newOutbox(queue, 'queue', { batches }))).toEqual([]);
  },
);
