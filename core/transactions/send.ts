import type { TransactionItem } from '../api/transaction.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { broadcast } from './broadcast.ts';
import type { Lanes } from './lanes.ts';
import type { LaneRef } from './outboxObjects.ts';
import { prepare } from './prepare.ts';
import type { EvmRpc } from './rpc.ts';
import type { Submission } from './submission.ts';

/** Items to be sent from an account on one network, in their order. */
export interface SendRequest extends Pick<Submission, 'key' | 'intent' | 'user' | 'request'> {
  lane: LaneRef;
  /** The node of the very life of the network that the lane names. */
  rpc: EvmRpc;
  items: readonly TransactionItem[];
}

/**
 * Checks, signs, writes down and sends: in that order, and each item once. Resolves with the hashes when the signed
 * bytes are in the Outbox; the node has them then as well, unless it took longer than a second, or refused: then the
 * operator goes on. The same intent gives the same hashes. Rejects with BadRequest, the wrong items in `details` by
 * `[<index>]`, or Unavailable.
 */
export type Send = (request: SendRequest) => Promise<string[]>;

export interface SendOptions {
  lanes: Lanes;
  clock: Clock;
  log: Log;
}

/** How long an answer waits for the node to have taken what was accepted. */
const patienceMs = 1000;

export function createSend({ lanes, clock, log }: SendOptions): Send {
  return async ({ lane, rpc, key, items, intent, user, request }) => {
    const known = intent === undefined ? undefined : await lanes.findIntent(lane, intent);
    if (known) return known;
    const prepared = await prepare(rpc, lane.signer, items);
    const about = {
      ...(intent ? { intent } : {}),
      ...(user ? { user } : {}),
      ...(request ? { request } : {}),
    };
    const { hashes, signed } = await lanes.submit({ lane, key, ...prepared, ...about });
    const sending = broadcast(
      rpc,
      signed.map(({ raw }) => raw),
    ).then((results) => {
      const refused = results.find((result) => 'reason' in result);
      if (refused)
        log.warn('a node did not take what was accepted', { network: lane.network.name, ...refused });
    });
    const waited = new AbortController();
    await Promise.race([sending, clock.sleep(patienceMs, waited.signal).catch(() => undefined)]);
    waited.abort();
    return hashes;
  };
}
