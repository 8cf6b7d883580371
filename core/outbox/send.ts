import type { TransactionItem } from '../api/rest/transaction.ts';
import { maxPerGas } from '../evm/fees.ts';
import type { EvmRpc } from '../evm/rpc.ts';
import type { Clock } from '../lib/clock.ts';
import { withDeadline } from '../lib/deadline.ts';
import type { Log } from '../lib/log.ts';
import { childSpan } from '../tracing/spans.ts';
import { checkDigest, type Submitted } from './findSubmitted.ts';
import type { OpenBudget } from './openBudget.ts';
import type { SenderQueueRef } from './outboxObjects.ts';
import { prepare } from './prepare.ts';
import type { SenderQueues } from './senderQueues.ts';
import { type Submission, sizeOf } from './submission.ts';
import { createSendThrottle } from './throttle.ts';

/** Items to send from an account on one network, in order. */
interface SendRequest extends Pick<Submission, 'key' | 'idempotencyKey' | 'digest' | 'user' | 'request'> {
  queue: SenderQueueRef;
  /** The node of exactly the incarnation that the sender queue names. */
  rpc: EvmRpc;
  /** The chain id in the network's status. */
  chainId: string;
  /** What the chain allows one transaction from Osaka on; Ethereum's limit when absent. */
  osakaGasCap?: bigint | undefined;
  /** Whether the network still runs that incarnation: what is settled as dropped with it must not be sent afterwards. */
  isCurrent(): boolean;
  items: readonly TransactionItem[];
}

/** What was accepted. */
export interface Sent {
  /** In the order of the items. */
  hashes: string[];
  /** Nonce of the first item; absent when the idempotency key had been accepted before. */
  firstNonce?: number;
  /** Resolves when the node answered, or after one second: then the operator takes over. Never rejects. */
  taken: Promise<void>;
}

/**
 * Checks, signs, persists and sends, in that order, each item once. Resolves when the signed bytes are in the Outbox.
 * The same idempotency key gives the same hashes. Rejects with BadRequest, the invalid items in `details` by
 * `[<index>]`, with Conflict when the key was used for something else, or with Unavailable.
 */
export type Send = (request: SendRequest) => Promise<Sent>;

export interface SendOptions {
  queues: SenderQueues;
  clock: Clock;
  log: Log;
  /** Of workspaces and of the installation; none when absent. */
  budget?: OpenBudget;
}

/** How long to wait for the node. */
const acceptTimeoutMs = 1000;

export function createSend(options: SendOptions): Send {
  const sendNew = createSendNew(options);
  return async (request) => {
    try {
      return await sendNew(request);
    } catch (error) {
      // A submission that was accepted before is answered, whatever prevents a new one.
      const known = await findSent(options.queues, request);
      if (!known) throw error;
      return { hashes: known.hashes, taken: Promise.resolve() };
    }
  };
}

async function findSent(
  queues: SenderQueues,
  { queue, idempotencyKey, digest }: SendRequest,
): Promise<Submitted | undefined> {
  if (idempotencyKey === undefined) return undefined;
  const known = await queues.findByIdempotencyKey(queue, idempotencyKey);
  if (known) checkDigest(known, digest);
  return known;
}

/** Looks up an idempotency key only where its nonces are allocated, at the version that the write replaces. */
function createSendNew({ queues, clock, log, budget }: SendOptions): Send {
  const throttle = createSendThrottle(clock);
  return async ({ queue, rpc, chainId, osakaGasCap, isCurrent, key, items, ...about }) => {
    const { signer } = queue;
    const { transactions, node, blockGasLimit } = await prepare({ rpc, signer, chainId, osakaGasCap }, items);
    const commit = {
      name: 'submit',
      kind: 'internal',
      attributes: { 'slipway.count': items.length },
    } as const;
    const submit = () => childSpan(commit, () => queues.submit({ queue, key, transactions, node, ...about }));
    const added = { count: transactions.length, bytes: sizeOf({ transactions }) };
    const { hashes, signed } = await (budget ? budget.hold(queue.namespace, added, submit) : submit());
    const sending = throttle({
      workspace: queue.namespace,
      chain: `${queue.network.uid}/${queue.incarnation}`,
      ...{ rpc, signer, identity: node.identity, isCurrent, blockGasLimit },
      transactions: signed.map((one, index) => ({
        ...one,
        gasLimit: BigInt(transactions[index]?.gasLimit ?? 0),
        maxFee: maxPerGas(transactions[index]?.fees),
      })),
    }).then((results) => {
      const refused = results.find((result) => 'reason' in result);
      if (refused)
        log.warn('a node refused an accepted transaction', { network: queue.network.name, ...refused });
    });
    const [first] = signed;
    const taken = first
      ? withDeadline({ clock, limitMs: acceptTimeoutMs, onLate: () => undefined }, sending)
      : Promise.resolve();
    return { hashes, ...(first ? { firstNonce: first.nonce } : {}), taken };
  };
}
