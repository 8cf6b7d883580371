import type { BatchMark, OutboxResource } from '../../core/api/resources/outbox.ts';
import { packMarked } from '../../core/outbox/marks.ts';
import { lastUnsettledMs } from './unsettled.ts';

const present = '0xaa';
const acceptedAt = '2030-01-02T03:04:05Z';

/** A sender queue with a batch that has this mark. */
function aQueue(mark: BatchMark | undefined, at = acceptedAt): OutboxResource {
  const batch = { id: '0123456789abcdef', first: 3, count: 2, acceptedAt: at };
  const spec = { role: 'queue', networkID: 'n', incarnation: 'i', signer: `0x${'11'.repeat(20)}` } as const;
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Outbox',
    metadata: { name: 'any', namespace: 'any' },
    spec: { ...spec, ...packMarked([batch], mark ? { [batch.id]: mark } : {}) },
  };
}

it('is the time of the last batch that the process acknowledged and that is not archived', () => {
  const later = '2030-01-02T03:04:09Z';
  const queues = [aQueue({ instance: present }, later), aQueue({ instance: present })];
  expect(lastUnsettledMs(queues, present)).toBe(Date.parse(later));
});

it.each<[string, BatchMark | undefined]>([
  ['was accepted for another process', { instance: '0xbb' }],
  ['may have to be sent by the operator', { instance: present, queued: true }],
  ['was undone', { instance: present, undone: 3 }],
  ['has no mark', undefined],
])('does not count what %s', (_case, mark) => {
  expect(lastUnsettledMs([aQueue(mark)], present)).toBeUndefined();
});

it('counts what was undone in part', () => {
  expect(lastUnsettledMs([aQueue({ instance: present, undone: 4 })], present)).toBe(Date.parse(acceptedAt));
});

it('knows nothing of a chain whose processes have no ids, or of a queue that somebody corrupted', () => {
  const queue = aQueue({ instance: 'pod-1' });
  expect(lastUnsettledMs([queue], undefined)).toBeUndefined();
  const corrupted = { ...queue, spec: { ...queue.spec, batches: 'x' } };
  expect(lastUnsettledMs([corrupted], present)).toBeUndefined();
});
