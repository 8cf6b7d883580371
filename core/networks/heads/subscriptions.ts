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

function evmHead(number: unknown, hash: unknown): Head | undefined {
  if (typeof number !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(number)) return undefined;
  return { number: BigInt(number).toString(), ...(typeof hash === 'string' ? { hash } : {}) };
}

const evm: Subscription = {
  calls: [
    { method: 'eth_subscribe', params: ['newHeads'] },
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
  ],
  headIn(message) {
    const block = memberOf(message, 'result') ?? memberOf(message, 'params', 'result');
    return evmHead(memberOf(block, 'number'), memberOf(block, 'hash'));
  },
};

/** What anvil is asked with; it writes the method of each call to its log. */
export const lookMethod = 'anvil_nodeInfo';

/** That of anvil, which does not say that `evm_revert` or `anvil_rollback` took blocks away. */
export const lightSubscription: Subscription = {
  ...evm,
  look: { method: lookMethod, params: [] },
  headIn(message) {
    const info = memberOf(message, 'result');
    return (
      evm.headIn(message) ?? evmHead(memberOf(info, 'currentBlockNumber'), memberOf(info, 'currentBlockHash'))
    );
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
