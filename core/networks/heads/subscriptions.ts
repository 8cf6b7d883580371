import type { ChainFamily } from '../../api/resources/chainSpecs.ts';
import { memberOf } from '../../lib/json/members.ts';

/** The newest block of a chain. */
export interface Head {
  number: string;
  hash?: string;
}

interface Call {
  method: string;
  params: unknown;
}

/** How nodes of a family announce their newest block over a WebSocket. */
export interface Subscription {
  /** The calls that begin it; what answers them may have a head as well. */
  calls: readonly Call[];
  /** Asks for the newest block, of a node that can go back to an earlier one without announcing it. */
  look?: Call;
  /** The head in a message; undefined if it has none. */
  headIn(message: unknown): Head | undefined;
}

const quantity = /^0x[0-9a-f]{1,64}$/i;

const newHeads: Call = { method: 'eth_subscribe', params: ['newHeads'] };

const evm: Subscription = {
  calls: [
    newHeads,
    // Not the block itself: that of one with thousands of transactions is megabytes long.
    { method: 'eth_blockNumber', params: [] },
  ],
  headIn(message) {
    const block = memberOf(message, 'params', 'result');
    const number = memberOf(message, 'id') === 1 ? memberOf(message, 'result') : memberOf(block, 'number');
    if (typeof number !== 'string' || !quantity.test(number)) return undefined;
    const hash = memberOf(block, 'hash');
    return { number: BigInt(number).toString(), ...(typeof hash === 'string' ? { hash } : {}) };
  },
};

/** What anvil is asked with; it writes the method of each call to its log. */
export const lookMethod = 'anvil_metadata';

const look: Call = { method: lookMethod, params: [] };

/** That of anvil, which does not say that `evm_revert` or `anvil_rollback` took blocks away. */
export const lightSubscription: Subscription = {
  calls: [newHeads, look],
  look,
  headIn(message) {
    const metadata = memberOf(message, 'result');
    const [number, hash] = [memberOf(metadata, 'latestBlockNumber'), memberOf(metadata, 'latestBlockHash')];
    if (typeof number !== 'number' || typeof hash !== 'string') return evm.headIn(message);
    return { number: String(number), hash };
  },
};

export const subscriptions: Record<ChainFamily, Subscription | undefined> = {
  evm,
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
