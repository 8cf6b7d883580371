import { isPlainObject, memberOf } from '../../../core/lib/json/members.ts';
import { paramsOf } from '../jsonrpc/params.ts';

/** What a call does to the subscriptions of its connection: it makes one of some weight, or ends the one with an id. */
export type SubscriptionUse = Made | { ends: string };
interface Made {
  weight: number;
  /** The node ends it once it has told of what it waits for. */
  isOnce?: true;
}

/** Of what a node tells a subscriber of each log, transaction or account: a block may have thousands. */
const ofEach = 8;
/** Of what it tells once for each block, or of one account. */
const ofBlocks = 1;

/** What the subscriptions of a connection, of a key, of a network and of its owner may weigh together, in each replica. */
export const maxSubscriptions = {
  connection: 16 * ofEach,
  key: 48 * ofEach,
  network: 64 * ofEach,
  owner: 256 * ofEach,
};
/** Of the owner's, those with public URLs: strangers leave some for the admin URLs. */
export const maxPublicSubscriptions = (maxSubscriptions.owner * 7) / 8;

/** Of an EVM node; `text` is the call. Undefined: it does nothing to them. */
export function evmSubscription(method: string, text: string): SubscriptionUse | undefined {
  if (method === 'eth_unsubscribe') return { ends: String(paramsOf(text)[0]) };
  if (method !== 'eth_subscribe') return undefined;
  const [kind] = paramsOf(text);
  return { weight: kind === 'newHeads' || kind === 'syncing' ? ofBlocks : ofEach };
}

/** Of a Solana node. */
export function solanaSubscription(method: string, text: string): SubscriptionUse | undefined {
  if (method.endsWith('Unsubscribe')) return { ends: String(paramsOf(text)[0]) };
  if (!method.endsWith('Subscribe')) return undefined;
  if (method === 'signatureSubscribe') return { weight: ofBlocks, isOnce: true };
  return { weight: /^(account|root|slot)Subscribe$/.test(method) ? ofBlocks : ofEach };
}

/** A signature's notification is shorter. */
const maxLastBytes = 1024;

/** The subscription that a Solana node has ended with a message that tells of its signature; it may have told that it received it. */
export function endedWith(message: Buffer): string | undefined {
  if (message.length > maxLastBytes || !message.includes('"signatureNotification"')) return undefined;
  const params = memberOf(parsed(message), 'params');
  const isLast = isPlainObject(memberOf(params, 'result', 'value'));
  return isLast ? String(memberOf(params, 'subscription')) : undefined;
}

/** A short message of a node; undefined if it is not JSON. */
export function parsed(message: Buffer): unknown {
  try {
    return JSON.parse(message.toString());
  } catch {
    return undefined;
  }
}
