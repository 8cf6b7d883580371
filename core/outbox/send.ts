import type { TransactionItem } from '../api/rest/transaction.ts';
import type { EvmRpc } from '../evm/rpc.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Lanes } from './lanes.ts';
import type { LaneRef } from './outboxObjects.ts';
import { prepare } from './prepare.ts';
import type { Submission } from './submission.ts';
import { createPace } from './throttle.ts';

/** Items to be sent from an account on one network, in their order. */
interface SendRequest extends Pick<Submission, 'key' | 'intent' | 'user' | 'request'> {
  lane: LaneRef;
  /** The node of the very life of the network that the lane names. */
  rpc: EvmRpc;
  items: readonly TransactionItem[];
}

/** What was accepted. */
export interface Sent {
  /** In the order of the items. */
  hashes: string[];
  /** Of the first item; unknown when the intent had been accepted before. */
  firstNonce?: number;
  /** The node has them, or refused, or has had a second for it: then the operator goes on. Never rejects. */
  taken: Promise<void>;
}

/**
 * Checks, signs, writes down and sends: in that order, and each item once. Resolves when the signed bytes are in the
 * Outbox. The same intent gives the same hashes. Rejects with BadRequest, the wrong items in `details` by `[<index>]`,
 * or Unavailable.
 */
export type Send = (request: SendRequest) => Promise<Sent>;

export interface SendOptions {
  lanes: Lanes;
  clock: Clock;
  log: Log;
}

/** How long the node is waited for. */
const patienceMs = 1000;

export function createSend({ lanes, clock, log }: SendOptions): Send {
  const pace = createPace(clock);
  return async ({ lane, rpc, key, items, intent, user, request }) => {
    const known = intent === undefined ? undefined : await lanes.findIntent(lane, intent);
    if (known) return { hashes: known, taken: Promise.resolve() };
    const { transactions, node, blockGasLimit } = await prepare(rpc, lane.signer, items);
    const about = {
      ...(intent ? { intent } : {}),
      ...(user ? { user } : {}),
      ...(request ? { request } : {}),
    };
    const { hashes, signed } = await lanes.submit({ lane, key, transactions, node, ...about });
    const sending = pace({
      chain: `${lane.network.uid}/${lane.incarnation}`,
      ...{ rpc, signer: lane.signer, genesis: node.genesis, blockGasLimit },
      transactions: signed.map((one, index) => ({
        ...one,
        gasLimit: BigInt(transactions[index]?.gasLimit ?? 0),
      })),
    }).then((results) => {
      const refused = results.find((result) => 'reason' in result);
      if (refused)
        log.warn('a node did not take what was accepted', { network: lane.network.name, ...refused });
    });
    const [first] = signed;
    const taken = first ? within(patienceMs, clock, sending) : Promise.resolve();
    return { hashes, ...(first ? { firstNonce: first.nonce } : {}), taken };
  };
}

/** When the work is done, or the time is over. */
async function within(limitMs: number, clock: Clock, work: Promise<void>): Promise<void> {
  const waited = new AbortController();
  await Promise.race([work, clock.sleep(limitMs, waited.signal).catch(() => undefined)]);
  waited.abort();
}
