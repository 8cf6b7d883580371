import type { TransactionItem } from '../api/rest/transaction.ts';
import type { SendResult } from '../evm/broadcast.ts';
import { maxPerGas } from '../evm/fees.ts';
import { boundTo, type Published } from '../evm/instance.ts';
import type { EvmRpc } from '../evm/rpc.ts';
import { areKnown } from '../evm/transactions.ts';
import type { Clock } from '../lib/clock.ts';
import { compact } from '../lib/compact.ts';
import type { Log } from '../lib/log.ts';
import type { SignedTransaction, UnsignedTransaction } from '../signing/signing.ts';
import { childSpan } from '../tracing/spans.ts';
import { checkDigest, type Submitted } from './findSubmitted.ts';
import type { OpenBudget } from './openBudget.ts';
import type { SenderQueueRef } from './outboxObjects.ts';
import { prepare } from './prepare.ts';
import type { SenderQueues } from './senderQueues.ts';
import { createAcceptance } from './sending/acceptance.ts';
import { isUndoneWhole, nextKeyOf, promiseAgain } from './sending/repeat.ts';
import { createSendProgress } from './sending/sendProgress.ts';
import { type Submission, sizeOf } from './submission.ts';
import { createSendThrottle } from './throttle.ts';

/** Items to send from an account on one network, in order. */
interface SendRequest extends Pick<Submission, 'key' | 'idempotencyKey' | 'digest' | 'user' | 'request'> {
  queue: SenderQueueRef;
  /** The node of exactly the incarnation that the sender queue names. */
  rpc: EvmRpc;
  /** The chain id in the network's status. */
  chainId: string;
  /** status.instance of the network: no other process is sent to. */
  published: Published | undefined;
  /** What the chain allows one transaction from Osaka on; Ethereum's limit when absent. */
  osakaGasCap?: bigint | undefined;
  /** Whether the network still runs that incarnation: what is settled as dropped with it must not be sent afterwards. */
  isCurrent(): boolean;
  items: readonly TransactionItem[];
  /** Nothing is written before it resolves; if it rejects, the request does. Absent where that is certain. */
  confirmed?: Promise<void> | undefined;
}

/** What was accepted. */
export interface Sent {
  /** In the order of the items. */
  hashes: string[];
  /** Nonce of the first item; absent when the idempotency key had been accepted before. */
  firstNonce?: number;
  /**
   * Resolves when the node has acknowledged all of it, or when it is stored that the operator has to send the rest. Rejects
   * with Unavailable when neither is possible: then it may or may not be sent.
   */
  taken: Promise<void>;
}

/**
 * Checks, signs, persists and sends, in that order, each item once. Resolves when the signed bytes are in the Outbox.
 * The same idempotency key gives the same hashes. Rejects with BadRequest, the invalid items in `details` by
 * `[<index>]`, with Conflict when the key was used for something else, or with Unavailable.
 */
export type Send = (request: SendRequest) => Promise<Sent>;

type SendNew = (request: SendRequest) => Promise<Sent & Pick<Submission, 'node'>>;

export interface SendOptions {
  queues: SenderQueues;
  clock: Clock;
  log: Log;
  /** Of workspaces and of the installation; none when absent. */
  budget?: OpenBudget;
}

export function createSend(options: SendOptions): Send {
  const sendNew = createSendNew(options);
  return async (request) => {
    try {
      return await sendRepeatedly(options, sendNew, request);
    } catch (error) {
      await request.confirmed;
      // A submission that was accepted before is answered, whatever prevents a new one.
      const known = await findSent(options.queues, request);
      if (!known || isUndoneWhole(known)) throw error;
      const { queue, idempotencyKey = '', rpc, published } = request;
      const bound = boundTo(rpc, published);
      const taken = promiseAgain(options.queues, {
        queue,
        idempotencyKey,
        known,
        areKnown: (hashes) => areKnown(bound, hashes),
      });
      taken.catch(() => undefined);
      return { hashes: known.hashes, taken };
    }
  };
}

/** If nothing of an attempt is on the chain, repeating its key makes another attempt. */
async function sendRepeatedly(
  { queues }: SendOptions,
  sendNew: SendNew,
  request: SendRequest,
): Promise<Sent> {
  for (let { idempotencyKey } = request; ; ) {
    const { node, ...sent } = await sendNew({ ...request, ...compact({ idempotencyKey }) });
    if (sent.firstNonce !== undefined || idempotencyKey === undefined) return sent;
    const known = await queues.findByIdempotencyKey(request.queue, idempotencyKey);
    if (!known) return sent;
    if (!isUndoneWhole(known)) {
      const taken = promiseAgain(queues, { queue: request.queue, idempotencyKey, known, ...node });
      taken.catch(() => undefined);
      return { hashes: known.hashes, taken };
    }
    idempotencyKey = nextKeyOf(idempotencyKey);
  }
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
function createSendNew({ queues, clock, log, budget }: SendOptions): SendNew {
  const throttle = createSendThrottle(clock);
  const progress = createSendProgress();
  return async ({ confirmed, items, chainId, osakaGasCap, published, ...sending }) => {
    const { queue, rpc, isCurrent, key, ...about } = sending;
    const { signer } = queue;
    const preparation = { rpc, signer, chainId, osakaGasCap, published, confirmed };
    const { transactions, node, blockGasLimit } = await prepare(preparation, items);
    await confirmed;
    const commit = {
      name: 'submit',
      kind: 'internal',
      attributes: { 'slipway.count': items.length },
    } as const;
    // What does not fit into a block is not acknowledged before blocks are mined.
    const isQueued = gasOf(transactions) > blockGasLimit;
    const submission = { queue, key, transactions, node, isQueued, progressOf: progress.of, ...about };
    const submit = () => childSpan(commit, () => queues.submit(submission));
    const added = { count: transactions.length, bytes: sizeOf({ transactions }) };
    const accepted = await (budget ? budget.hold(queue.namespace, added, submit) : submit());
    const { hashes, signed, begunMs, batch: id } = accepted;
    const [first] = signed;
    if (!first) return { hashes, taken: Promise.resolve(), node };
    const acceptance = createAcceptance({ queues, clock, queue }, { signed, batch: id, begunMs, isQueued });
    const sendAll = async () => {
      await acceptance.begin();
      const results = await throttle({
        workspace: queue.namespace,
        chain: `${queue.namespace}/${queue.network.id}/${queue.incarnation}`,
        rpc,
        signer,
        instance: node.instance,
        isCurrent,
        blockGasLimit,
        mayBegin: acceptance.mayBegin,
        transactions: withLimits(signed, transactions),
      });
      warnOfRefusal(log, queue, results);
      return results;
    };
    const taken = acceptance.of(progress.follow({ signed, batch: id }, sendAll()));
    // A caller that does not wait leaves the rest to the operator.
    taken.catch(() => undefined);
    return { hashes, firstNonce: first.nonce, taken, node };
  };
}

function warnOfRefusal(log: Log, { network }: SenderQueueRef, results: readonly SendResult[]): void {
  const refused = results.find((result) => 'reason' in result);
  if (refused) log.warn('a node refused an accepted transaction', { network: network.name, ...refused });
}

const withLimits = (signed: readonly SignedTransaction[], transactions: readonly UnsignedTransaction[]) =>
  signed.map((one, index) => ({
    ...one,
    gasLimit: BigInt(transactions[index]?.gasLimit ?? 0),
    maxFee: maxPerGas(transactions[index]?.fees),
  }));

const gasOf = (transactions: readonly UnsignedTransaction[]): bigint =>
  transactions.reduce((sum, { gasLimit }) => sum + BigInt(gasLimit), 0n);
