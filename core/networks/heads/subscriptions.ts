import type { ChainFamily } from '../../api/resources/chainSpecs.ts';
import { memberOf } from '../../lib/json/members.ts';

/** The newest block of a chain. */
export interface Head {
  number: string;
  hash?: string;
}

/** How nodes of a family announce their newest block over a WebSocket. */
export interface Subscription {
  /** The calls that begin it; what answers them may have a head as well. */
  calls: readonly { method: string; params: unknown }[];
  /** The head in a message; undefined if it has none. */
  headIn(message: unknown): Head | undefined;
}

export const subscriptions: Record<ChainFamily, Subscription | undefined> = {
  evm: {
    calls: [
      { method: 'eth_subscribe', params: ['newHeads'] },
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
    ],
    headIn(message) {
      const block = memberOf(message, 'result') ?? memberOf(message, 'params', 'result');
      const [number, hash] = [memberOf(block, 'number'), memberOf(block, 'hash')];
      if (typeof number !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(number)) return undefined;
      return { number: BigInt(number).toString(), ...(typeof hash === 'string' ? { hash } : {}) };
    },
  },
  solana: {
    calls: [{ method: 'slotSubscribe', params: [] }],
    headIn(message) {
      const slot = memberOf(message, 'params', 'result', 'slot');
      return typeof slot === 'number' ? { number: String(slot) } : undefined;
    },
  },
  thorchain: {
    calls: [
      { method: 'subscribe', params: { query: "tm.event='NewBlockHeader'" } },
      { method: 'status', params: {} },
    ],
    headIn(message) {
      const height =
        memberOf(message, 'result', 'data', 'value', 'header', 'height') ??
        memberOf(message, 'result', 'sync_info', 'latest_block_height');
      return typeof height === 'string' && /^\d+$/.test(height) ? { number: height } : undefined;
    },
  },
  layerzero: undefined,
};
