import type { RecordedTransaction } from '../../../core/api/rest/replay.ts';
import type { TransactionItem } from '../../../core/api/rest/transaction.ts';
import { createAddressOf } from '../../../core/evm/createAddress.ts';
import { compact } from '../../../core/lib/compact.ts';
import { createAddressMap, digitsOf, isDistinctive, mentionedIn } from './addresses.ts';

/** Rewrites the recorded transactions of one network into transactions of the caller. */
export interface Script {
  readonly length: number;
  at(index: number): RecordedTransaction;
  /**
   * The transaction to send: from the caller, with all addresses known so far replaced. The gas limit is the recorded
   * one plus a margin, at most `maxGas`.
   */
  render(index: number, maxGas: number): TransactionItem;
  /** Earlier transactions that create contracts which this one mentions and whose addresses are not known yet. */
  awaits(index: number): number[];
  /** Assumes that the nonces of the caller's transactions start at `first`. Observed addresses are kept. */
  predict(first: number): void;
  /** Records the contracts that a transaction created. */
  learn(
    index: number,
    created: { contractAddress?: string | undefined; created?: string[] | undefined },
  ): void;
}

/**
 * The gas of a transaction depends on the time between blocks and on the order of addresses: a pool that records its
 * price once a second uses 50% more gas if a second has passed. An estimated limit is too tight.
 */
const limitFactor = 2;
const limitSlack = 50_000;
/** The maximum gas limit of one transaction since Osaka (EIP-7825). */
const maxTransactionGas = 2 ** 24;
const plainTransfer = 21_000;

export function createScript(transactions: readonly RecordedTransaction[], caller: string): Script {
  const addresses = createAddressMap();
  const creators = creatorsOf(transactions);
  const mentions = transactions.map((transaction) => creatorsIn(transaction, creators));
  const settled = new Set<number>();
  const known = new Set<string>();
  for (const { from } of transactions) addresses.set(from, caller);

  const isOpen = ({ digits, index }: Mention) => !known.has(digits) && !settled.has(index);

  function set(recorded: string, replayed: string): void {
    addresses.set(recorded, replayed);
    known.add(digitsOf(recorded));
  }

  return {
    length: transactions.length,
    at: (index) => present(transactions[index]),
    render(index, maxGas) {
      const recorded = present(transactions[index]);
      const to = recorded.to && (addresses.get(recorded.to) ?? recorded.to);
      return {
        from: caller,
        ...compact({ to }),
        value: recorded.value,
        data: addresses.rewrite(recorded.data),
        gas_limit: Math.min(maxGas, gasOf(recorded)),
      };
    },
    awaits: (index) =>
      (mentions[index] ?? []).filter((one) => one.index < index && isOpen(one)).map((one) => one.index),
    predict(first) {
      for (const [index, { contract_address: recorded }] of transactions.entries()) {
        if (recorded && !settled.has(index)) set(recorded, createAddressOf(caller, first + index));
      }
    },
    learn(index, { contractAddress, created = [] }) {
      const recorded = present(transactions[index]);
      settled.add(index);
      if (recorded.contract_address && contractAddress) set(recorded.contract_address, contractAddress);
      for (const [at, former] of (recorded.created_contracts ?? []).entries()) {
        const replayed = created[at];
        if (replayed) set(former, replayed);
      }
    },
  };
}

interface Mention {
  digits: string;
  /** The transaction that creates the contract. */
  index: number;
}

/** The first transaction that creates a contract at each address. */
function creatorsOf(transactions: readonly RecordedTransaction[]): Map<string, number> {
  const creators = new Map<string, number>();
  for (const [index, { contract_address, created_contracts = [] }] of transactions.entries()) {
    for (const address of [...(contract_address ? [contract_address] : []), ...created_contracts]) {
      const digits = digitsOf(address);
      if (isDistinctive(address) && !creators.has(digits)) creators.set(digits, index);
    }
  }
  return creators;
}

function creatorsIn({ to, data }: RecordedTransaction, creators: ReadonlyMap<string, number>): Mention[] {
  if (creators.size === 0) return [];
  const found = [...(to ? [digitsOf(to)] : []), ...mentionedIn(data, creators)];
  return found.flatMap((digits) => {
    const index = creators.get(digits);
    return index === undefined ? [] : [{ digits, index }];
  });
}

/** The limit plus a margin, except for transfers and for transactions that ran out of gas, which must do so again. */
function gasOf({ gas_limit: limit, gas_used: used, status }: RecordedTransaction): number {
  // A call withholds 1/64 of its gas from nested calls (EIP-150).
  const isExhausted = status === 'reverted' && used !== undefined && used >= (limit * 63) / 64;
  if (isExhausted || used === plainTransfer) return limit;
  return Math.max(limit, Math.min(maxTransactionGas, limit * limitFactor + limitSlack));
}

function present(transaction: RecordedTransaction | undefined): RecordedTransaction {
  if (!transaction) throw new RangeError('the recording has no transaction at this index');
  return transaction;
}
