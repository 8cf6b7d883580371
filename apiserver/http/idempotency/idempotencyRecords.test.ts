import { createSealer } from '../../../core/accounts/seal.ts';
import { createFakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { settle } from '../../../core/kube/testing/settle.ts';
import { createManualClock } from '../../../core/lib/manualClock.ts';
import { createRecords } from './idempotencyRecords.ts';

const sealer = createSealer({ currentId: 'k1', keys: new Map([['k1', Buffer.alloc(32, 1)]]) });
const clock = createManualClock();
const records = createRecords({ kube: createFakeKube({ clock }), namespace: 'n', sealer, clock });

async function pass(ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += 100) {
    await settle();
    clock.advance(100);
  }
  await settle();
}

it('a repetition waits for the first request, then is 409 with Retry-After, and takes over once the first replica must be dead', async () => {
  const held = await records.hold('record', { fingerprint: 'request' });
  const early = expect(records.hold('record', { fingerprint: 'request' })).rejects.toMatchObject({
    status: 409,
    retryAfterSeconds: 5,
  });
  await pass(10_500);
  await early;
  const late = records.hold('record', { fingerprint: 'request' });
  await pass(10_000);
  expect((await late).metadata.uid).toBe(held.metadata.uid);
});

it('a request that is refused late does not forget the answer of the replica that took it over', async () => {
  const late = await records.hold('late', { fingerprint: 'request' });
  await pass(20_500);
  const next = await records.hold('late', { fingerprint: 'request' });
  await records.complete(next, 'answer');
  await records.drop(late).catch(() => undefined);
  expect((await records.hold('late', { fingerprint: 'request' })).spec.answer).toBe('answer');
});
