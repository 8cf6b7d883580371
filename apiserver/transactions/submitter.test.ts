import { aNetwork, aTransactionItem } from '../../core/api/testing/builders.ts';
import { asStored } from '../../core/api/testing/stored.ts';
import type { FoundSubmission } from '../../core/outbox/findSubmitted.ts';
import { undone } from '../../core/outbox/results.ts';
import type { SenderQueues } from '../../core/outbox/senderQueues.ts';
import { createSubmitFor, type SubmitterDeps } from './submitter.ts';

const [former, present] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`];
const hash = `0x${'a'.repeat(64)}`;

const account = { address: present, withKey: () => Promise.reject(new Error('nothing is signed')) };
const node = { incarnation: 'two', chainId: '7', rpc: {}, published: { pod: 'p' }, isCurrent: () => true };

/** What a caller with a new key is answered for something that the former one signed, and what it marks. */
async function repeat(known: Pick<FoundSubmission, 'results'>) {
  const marked: Parameters<SenderQueues['markQueued']>[] = [];
  const deps = {
    queues: { markQueued: async (...args: (typeof marked)[number]) => marked.push(args) > 0 },
    send: () => Promise.reject(new Error('nothing is sent')),
    findAccount: async () => account,
    nodeOf: async () => node,
  } as unknown as SubmitterDeps;
  const network = asStored(aNetwork({ name: 'net', namespace: 'ws', metadata: { uid: 'u' } }));
  const { hashes, taken } = await createSubmitFor(deps)({
    ...{ userId: 'ann', network, items: [aTransactionItem({ from: present })], idempotencyKey: 'key' },
    known: { hashes: [hash], signer: former, incarnation: 'one', ...known },
  });
  await taken;
  return { hashes, marked };
}

it('what a former key signed, and nobody may have sent, is sent by the operator when it is answered again', async () => {
  const queue = { namespace: 'ws', network: { name: 'net', uid: 'u' }, incarnation: 'one', signer: former };
  expect(await repeat({ results: [] })).toEqual({
    hashes: [hash],
    marked: [[queue, { idempotencyKey: 'key' }]],
  });
});

it('nothing is sent again of what a former key signed and is settled', async () => {
  expect(await repeat({ results: [undone] })).toEqual({ hashes: [hash], marked: [] });
});
