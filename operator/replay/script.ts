import type { RecordedTransaction } from '../../core/api/rest/replay.ts';
import type { TransactionItem } from '../../core/api/rest/transaction.ts';
import type { TransactionRules } from '../../core/evm/chainState.ts';
import { compact } from '../../core/lib/compact.ts';
import type { AddressBook, Creation } from './addressBook.ts';
import { digitsOf, mentionedIn, rewrite } from './addresses.ts';
import { namedIn, repeat } from './repeat.ts';

/** A transaction to send. */
export interface Rendered {
  item: TransactionItem;
  /** Positions of the authorizations in it among the recorded ones. */
  authorizations: number[];
  /** Why it may not have the recorded effect, although it is sent. */
  doubts: string[];
  /** Whether it contains addresses that follow from the nonces. */
  isPredicted: boolean;
}

/** Rewrites the recorded transactions of one network into transactions of the caller. */
export interface Script {
  /** The contracts that a transaction mentions and that it must wait for, since their addresses are not known yet. */
  awaits(index: number, recorded: RecordedTransaction): Creation[];
  /**
   * The transaction to send: from the caller, with all addresses replaced. The gas limit is the recorded one plus a
   * margin, at most what the chain allows.
   */
  render(recorded: RecordedTransaction, rules: TransactionRules): Promise<Rendered>;
}

/**
 * The gas of a transaction depends on the time between blocks and on the order of addresses: a pool that records its
 * price once a second uses 50% more gas if a second has passed. An estimated limit is too tight.
 */
const limitFactor = 2;
const limitSlack = 50_000;
const plainTransfer = 21_000;

/** `network` is its position among those of the replay. */
export function createScript(book: AddressBook, network: number): Script {
  const mentionsOf = (recorded: RecordedTransaction): string[] => {
    const { to, data } = recorded;
    const named = [...(to === undefined ? [] : [to]), ...namedIn(recorded)].map(digitsOf).filter(book.has);
    return [...new Set([...named, ...mentionedIn(data, book)])];
  };

  return {
    awaits(index, recorded) {
      const found = mentionsOf(recorded).map((digits) => book.find(network, digits));
      return found
        .flatMap((one) => (one ? [one.meant, ...one.others] : []))
        .filter((creation) => {
          if (creation.isSettled) return false;
          // Its own contracts that are created later were only mentioned in advance.
          return creation.network !== network || (!creation.isDirect && creation.index < index);
        });
    },
    async render(recorded, { maxGas, hasAuthorizations }) {
      const resolved = mentionsOf(recorded).map(
        (digits) => [digits, resolve(book, network, digits)] as const,
      );
      const lookup = createLookup(book, resolved);
      const callee = recorded.to && lookup(digitsOf(recorded.to));
      const to = callee ? `0x${callee}` : recorded.to;
      const replaying = { book, lookup, hasAuthorizations };
      const { parts, sent, differences } = await repeat(recorded, replaying);
      return {
        item: {
          from: book.caller,
          ...compact({ to }),
          value: recorded.value,
          data: rewrite(recorded.data, lookup),
          gas_limit: Math.min(Number(maxGas), gasOf(recorded)),
          ...parts,
        },
        authorizations: sent,
        doubts: [...doubtsOf(resolved), ...differences],
        isPredicted: resolved.some(([, { isPredicted }]) => isPredicted),
      };
    },
  };
}

type AllResolved = readonly (readonly [digits: string, Resolved])[];

function createLookup(book: AddressBook, resolved: AllResolved) {
  const replacements = new Map(resolved.map(([digits, { address }]) => [digits, address]));
  const caller = digitsOf(book.caller);
  return (digits: string) => (book.isSender(digits) ? caller : replacements.get(digits));
}

function doubtsOf(resolved: AllResolved): string[] {
  return resolved.flatMap(([digits, { doubt }]) => (doubt ? [`address 0x${digits}: ${doubt}`] : []));
}

interface Resolved {
  /** Undefined for an address that stays. */
  address?: string | undefined;
  isPredicted?: boolean;
  doubt?: string;
}

function resolve(book: AddressBook, network: number, digits: string): Resolved {
  const found = book.find(network, digits);
  if (!found) return {};
  const { meant, others } = found;
  const isOwn = meant.network === network;
  if (meant.replayed) {
    const isAmbiguous = others.some(({ replayed }) => replayed !== meant.replayed);
    const doubt = 'it was created on several other networks, and this could mean any of them';
    return { address: meant.replayed, ...(isAmbiguous ? { doubt } : {}) };
  }
  const address = book.predict(meant);
  if (meant.isSettled) return { address, doubt: 'its contract was not created in the replay' };
  if (isOwn) return { address, isPredicted: true };
  return { address, doubt: 'its contract is created on another network later than this was sent' };
}

/** The limit plus a margin, except for transfers and for transactions that ran out of gas, which must do so again. */
function gasOf({ gas_limit: limit, gas_used: used, status }: RecordedTransaction): number {
  // A call withholds 1/64 of its gas from nested calls (EIP-150).
  const isExhausted = status === 'reverted' && used !== undefined && used >= (limit * 63) / 64;
  if (isExhausted || used === plainTransfer) return limit;
  return limit * limitFactor + limitSlack;
}
