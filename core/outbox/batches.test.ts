import type { OutboxBatch } from '../api/resources/outbox.ts';
import { batchesOf, packBatches } from './batches.ts';
import { newOutbox } from './outboxObjects.ts';
import { queue } from './testing/senderQueues.ts';

const outboxWith = (batches: string) => newOutbox(queue, 'queue', { batches });
const aBatch = (id: string, more: Partial<OutboxBatch> = {}): OutboxBatch => ({
  id: id.repeat(16),
  first: 0,
  count: 1,
  acceptedAt: '2030-01-02T03:04:05Z',
  ...more,
});

test('what this process wrote is not parsed again when it comes back in an answer and from a watch', () => {
  const batches = [aBatch('a')];
  const text = packBatches(batches);
  expect(batchesOf(outboxWith(text))).toBe(batches);
  expect(batchesOf(outboxWith(JSON.stringify(JSON.parse(text))))).toBe(batches);
});

test('what is too long to be kept is parsed from each object', () => {
  const batches = [aBatch('b', { raw: 'x'.repeat(60_000) })];
  const found = batchesOf(outboxWith(packBatches(batches)));
  expect(found).toEqual(batches);
  expect(found).not.toBe(batches);
});

test('what somebody corrupted is an error each time', () => {
  for (let turn = 0; turn < 2; turn += 1) {
    expect(() => batchesOf(outboxWith('[{}]'))).toThrow('is invalid');
  }
});
