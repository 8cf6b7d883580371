import { call } from '../fixtures.ts';
import { openSocket } from '../socketFixtures.ts';
import type { Call } from './calls/call.ts';
import { type Chain, chainOf } from './chain.ts';
import { type Answer, shared } from './compare.ts';
import { contract, next, sign, slot } from './scene.ts';

/** What is subscribed to. Each of them has something to say of a transaction that stores. */
export const subscriptions: readonly Call[] = [
  ['eth_subscribe', 'newHeads'],
  ['eth_subscribe', 'newPendingTransactions'],
  ['eth_subscribe', 'logs', {}],
  ['eth_subscribe', 'logs', { address: contract, topics: [slot(7)] }],
];

/** The first notification of each subscription once a transaction is sent, which ends with it. */
export async function notificationsOf(chain: Chain): Promise<Answer[]> {
  const listeners = await Promise.all(subscriptions.map((one) => subscribe(chain, one)));
  const sender = await openSocket(chain.wsUrl);
  await sender.ask(call('eth_sendRawTransaction', [await sign(next.nonce, next.transaction)]));
  sender.socket.close();
  const results = await Promise.all(listeners.map((hear) => hear()));
  const longer = await chainOf(chain);
  return results.map((result) => shared(longer, { result }));
}

async function subscribe({ wsUrl }: Chain, [method, ...params]: Call): Promise<() => Promise<unknown>> {
  const { ask, next: hear, socket } = await openSocket(wsUrl);
  await ask(call(method, params));
  return async () => {
    const { params: told } = await hear();
    socket.close();
    return (told as { result: unknown }).result;
  };
}
