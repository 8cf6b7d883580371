import { Transaction, Wallet } from 'ethers';
import { outboxType } from '../../api/resources/resources.ts';
import type { FakeKube } from '../../kube/testing/fake/fake.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Signer } from '../../signing/signer.ts';
import { type SignedTransaction, signTransactions, type UnsignedTransaction } from '../../signing/signing.ts';
import { batchesOf, packBatches } from '../batches.ts';
import { keyRecordNameOf, piecesOf, queueNameOf } from '../outboxObjects.ts';
import { entriesIn } from '../packedTransactions.ts';
import { createSenderQueues } from '../senderQueues.ts';
import type { Submission } from '../submission.ts';

const key = Buffer.alloc(32, 0x5e);
export const { address } = new Wallet(`0x${key.toString('hex')}`);
export const queue = {
  namespace: 'ws',
  network: { name: 'net', uid: 'u-1', id: 'u-1' },
  incarnation: 'incarnation-1',
  signer: address,
};
const name = queueNameOf(queue);
/** Signs synchronously. */
export const signer: Signer = {
  sign: async (given, transactions) => signTransactions(given, transactions),
  close: async () => undefined,
};

export const transfers = (count: number, data = '0x'): UnsignedTransaction[] =>
  Array.from({ length: count }, () => ({
    chainId: '1200000001',
    to: address,
    value: '1',
    data,
    gasLimit: '21000',
    fees: { gasPrice: '1' },
  }));

export const aSubmission = (
  more: Partial<Submission> & { count?: number; pendingCount?: number } = {},
): Submission => {
  const { count = 1, pendingCount = 0, ...rest } = more;
  const node = {
    instance: '0x01',
    pendingCount,
    countNonces: async () => pendingCount,
    areKnown: async (hashes: readonly string[]) => hashes.map(() => true),
  };
  return { queue, key, transactions: transfers(count), node, ...rest };
};

export const queuesOver = (kube: FakeKube) =>
  createSenderQueues({ kube, signer, clock: systemClock, random: () => 0 });
export const headOf = (kube: FakeKube) => kube.get(outboxType, { namespace: 'ws', name });

/** All transactions of a sender queue, as read for recovery. */
export async function entriesOf(kube: FakeKube): Promise<SignedTransaction[]> {
  const head = await headOf(kube);
  const find = (part: string) => kube.get(outboxType, { namespace: 'ws', name: part });
  const pieces = await Promise.all(batchesOf(head).map((batch) => piecesOf(batch, find)));
  return pieces.flat().flatMap(entriesIn);
}

/** Every answered hash is in the Outbox with matching bytes and nonce; no nonce is duplicated or missing. */
export async function expectWhole(kube: FakeKube, hashes: string[], first = 0): Promise<void> {
  const entries = await entriesOf(kube);
  expect(entries.map(({ nonce }) => nonce)).toEqual(entries.map((_, index) => first + index));
  expect(new Set(entries.map(({ hash }) => hash))).toEqual(new Set(hashes));
  for (const { hash, raw, nonce } of entries.filter((_, index) => index % 97 === 0)) {
    expect(Transaction.from(raw)).toMatchObject({ hash, nonce, from: address });
  }
  expect((await headOf(kube))?.spec.next).toBe(first + entries.length);
}

/** Moves everything in a sender queue to an archive, as the operator does once it is mined. */
export async function settle(kube: FakeKube): Promise<void> {
  const head = await headOf(kube);
  const [batch] = batchesOf(head);
  if (!head || !batch) throw new Error('the sender queue is empty');
  const entries = await entriesOf(kube);
  const { raw: _raw, parts: _parts, ...kept } = batch;
  const hashes = entries.map(({ hash }) => hash.slice(2)).join('');
  const { metadata, spec } = head;
  await kube.create(outboxType, {
    ...head,
    metadata: {
      name: batch.idempotencyKey ? keyRecordNameOf(name, batch.idempotencyKey) : `${name}-a0`,
      namespace: 'ws',
      labels: { ...metadata.labels, 'slipway.dev/role': 'archive' },
    },
    spec: { ...spec, role: 'archive', batches: packBatches([{ ...kept, hashes }]) },
  });
  await kube.replace(outboxType, {
    ...head,
    spec: { ...spec, batches: '[]', archived: (spec.archived ?? 0) + 1 },
  });
}
