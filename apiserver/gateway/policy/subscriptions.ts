import { paramsOf } from '../jsonrpc/params.ts';

/** What a call does to the subscriptions of its connection: it makes one of some weight, or ends the one with an id. */
export type SubscriptionUse = { weight: number } | { ends: string };

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

/** Of an EVM node; `text` is the call. Undefined: it does nothing to them. */
export function evmSubscription(method: string, text: string): SubscriptionUse | undefined {
  if (method === 'eth_unsubscribe') return { ends: String(paramsOf(text)[0]) };
  if (method !== 'eth_subscribe') return undefined;
  const [kind] = paramsOf(text);
  return { weight: kind === 'newHeads' || kind === 'syncing' ? ofBlocks : ofEach };
}

/** Of a Solana node. It ends that of a signature by itself, once it has told of it. */
export function solanaSubscription(method: string, text: string): SubscriptionUse | undefined {
  if (method.endsWith('Unsubscribe')) return { ends: String(paramsOf(text)[0]) };
  if (!method.endsWith('Subscribe') || method === 'signatureSubscribe') return undefined;
  return { weight: /^(account|root|slot)Subscribe$/.test(method) ? ofBlocks : ofEach };
}
