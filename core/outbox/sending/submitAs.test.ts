import { aNetwork } from '../../api/testing/builders.ts';
import type { Sent } from '../send.ts';
import { type SubmitAsDeps, submitAs } from './submitAs.ts';

const taken = Promise.resolve();

test.each<[string, Sent, number[]]>([
  ['what was accepted now', { hashes: ['0x1'], firstNonce: 0, taken }, [1]],
  ['nothing that was accepted before', { hashes: ['0x1'], taken }, []],
])('usage counts %s', async (_, sent, expected) => {
  const counts: number[] = [];
  const deps: SubmitAsDeps = {
    send: async () => sent,
    queues: { markQueued: async () => true },
    storage: { take: () => ({ stored: () => undefined, giveBack: () => undefined }) },
    serverTimeMs: async () => 0,
    countTransactions: (_namespace, count) => void counts.push(count),
  };
  const account = {
    address: `0x${'1'.repeat(40)}`,
    withKey: (work: (key: never) => unknown) => work({} as never),
  };
  const items = [{ to: account.address, value: '1', data: '0x' }];
  const network = { ...aNetwork(), metadata: { ...aNetwork().metadata, namespace: 'ws', uid: 'u' } };
  const submission = { userId: 'ann', network, items, idempotencyKey: 'replay:1:a:0' };
  await submitAs(deps, { account, node: { incarnation: '1' } } as never, submission as never);
  expect(counts).toEqual(expected);
});
