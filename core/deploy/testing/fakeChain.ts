import { aRawReceipt } from '../../evm/testing/receipts.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import type { AppError } from '../../lib/errors.ts';
import { hashOf } from '../../lib/hash.ts';
import type { SentTransaction, TokenPorts } from '../ports.ts';
import { createMemoryProgress } from '../progress.ts';

/** The contract that a transaction of a hash creates. */
export const addressOf = (hash: string) => `0x${hashOf(hash).slice(0, 40)}`;

const blockHash = `0x${'22'.repeat(32)}`;

/** A chain that keeps no state but what was sent. A transaction's hash is its idempotency key. No wait takes time. */
export function createFakeChain() {
  const payloads = new Map<string, SentTransaction>();
  const failing = new Set<string>();
  /** Transactions that are in no block: why they never will be, and whether the node knows them. */
  const open = new Map<string, { dropped?: string; isKnown: boolean }>();
  const progress = createMemoryProgress();
  let nowMs = 0;
  const clock: Clock = {
    ...systemClock,
    nowMs: () => nowMs,
    async sleep(ms) {
      nowMs += ms;
    },
  };
  const answers: Record<string, (hash: string) => unknown> = {
    eth_getBlockByNumber: () => (chain.hasBlock ? { hash: blockHash } : null),
    eth_getCode: () => chain.code,
    eth_call() {
      if (chain.callError) throw chain.callError;
      return '0x01';
    },
    eth_getTransactionByHash(hash) {
      const sent = open.get(hash)?.isKnown === false ? undefined : payloads.get(hash);
      return sent ? { input: sent.data, to: sent.to ?? null } : null;
    },
    eth_getTransactionReceipt(hash) {
      if (open.has(hash)) return null;
      const status = failing.has(hash) ? '0x0' : '0x1';
      return aRawReceipt({ status, blockHash, blockNumber: '0x7', contractAddress: addressOf(hash) });
    },
  };
  const chain = {
    /** By idempotency key, in the order in which they were sent. */
    payloads,
    failing,
    open,
    code: '0x01',
    /** Whether it has the block of all transactions. */
    hasBlock: true,
    refuse: undefined as AppError | undefined,
    /** What the node answers to calls. */
    callError: undefined as AppError | undefined,
    onSend: (): void => undefined,
    sent: () => [...payloads.keys()],
    ports: (): TokenPorts => ({
      accounts: { deployer: '0xd', service: '0x5' },
      clock,
      progress,
      chain: async () => ({
        call: async (method, params) => answers[method]?.(String(params[0])),
        async send(idempotencyKey, transaction) {
          if (chain.refuse) throw chain.refuse;
          if (!payloads.has(idempotencyKey)) payloads.set(idempotencyKey, transaction);
          chain.onSend();
          return idempotencyKey;
        },
        whyDropped: async (_key, hash) => open.get(hash)?.dropped,
      }),
    }),
  };
  return chain;
}
