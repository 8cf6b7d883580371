import { createSecretKey } from 'node:crypto';
import { createSealer } from '../../../core/accounts/seal.ts';
import { createFakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { systemClock } from '../../../core/lib/clock.ts';
import { silentLog } from '../../../core/lib/log.ts';
import { countTurns } from '../../../core/lib/testing/turns.ts';
import type { Principal } from '../auth/principal.ts';
import { createIdempotency } from './idempotency.ts';

const once = createIdempotency({
  kube: createFakeKube(),
  namespace: 'n',
  sealer: createSealer({ currentId: 'k1', keys: new Map([['k1', Buffer.alloc(32, 1)]]) }),
  pepper: createSecretKey(Buffer.alloc(32, 1)),
  clock: systemClock,
  findNetwork: () => undefined,
  log: silentLog,
});

const principal = { userId: 'ann', namespace: 'ws-one', workspaceId: 'one' } as Principal;

const send = (key: string, transactions: number) => {
  const hash = 'a'.repeat(64);
  const body = { replayDocument: Array.from({ length: transactions }, (_, nonce) => ({ nonce, hash })) };
  const request = { principal, params: undefined, query: undefined, body };
  return once({ ...request, operationId: 'replayRecording', idempotencyKey: key }, async () => ({
    json: '{}',
  }));
};

it('others have turns while a large request is compared with those of its key', async () => {
  await send('first', 1);
  const small = await countTurns(() => send('small', 1));
  expect(await countTurns(() => send('large', 30_000))).toBeGreaterThanOrEqual(small + 30);
});

it('the same large request is done once, and another one with its key is refused', async () => {
  await send('key', 30_000);
  expect(await send('key', 30_000)).toMatchObject({ json: expect.anything() });
  await expect(send('key', 29_999)).rejects.toThrow('Idempotency-Key');
});
