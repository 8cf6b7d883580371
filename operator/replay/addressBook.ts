import type { RecordedTransaction } from '../../core/api/rest/replay.ts';
import { createAddressOf } from '../../core/evm/createdContracts.ts';
import { AppError } from '../../core/lib/errors.ts';
import { digitsOf, isDistinctive } from './addresses.ts';
import type { ContractRoom } from './contractRoom.ts';

/** Where in the recording a contract was created. */
export interface Creation {
  /** Position of the network among those of the replay. */
  network: number;
  /** Position of the transaction on that network. */
  index: number;
  /** Whether the transaction itself creates it, so that its address follows from the nonce. */
  isDirect: boolean;
  /** Its address in the replay (digits); undefined until it is created. */
  replayed?: string;
  /** Whether its outcome is known. */
  isSettled: boolean;
}

/** The contracts that a transaction created, in order. */
interface Created {
  contract_address?: string | undefined;
  created_contracts?: readonly string[] | undefined;
}

/**
 * The one map of addresses for all networks of a replay: a transaction may mention a contract that was created on
 * another network. The same address may be created on several networks; then the network's own counts first.
 */
export interface AddressBook {
  readonly caller: string;
  /** Notes the senders and contracts of a recorded transaction. Throws BadRequest beyond the maximum of contracts. */
  survey(network: number, index: number, recorded: RecordedTransaction): void;
  isSender(digits: string): boolean;
  has(digits: string): boolean;
  /** The creation that an address means on a network, and the others that it could mean there. */
  find(network: number, digits: string): { meant: Creation; others: readonly Creation[] } | undefined;
  /** From transaction `from` on, transaction `index` of the network gets the caller's nonce `base + index`. */
  setBase(network: number, base: number, from: number): void;
  /** The address that a direct creation will have; undefined while the nonces of its network are not known. */
  predict(creation: Creation): string | undefined;
  /** What a mined transaction created. */
  learn(index: number, network: number, pair: { recorded: RecordedTransaction; replayed: Created }): void;
  /** Nothing more will be created on the network. */
  end(network: number): void;
  /** Resolves when the outcome of a creation is known. */
  whenSettled(creation: Creation): Promise<void>;
  isAwaited(network: number): boolean;
}

/** About 300 bytes of memory each. */
const maxContracts = 200_000;

/** `room` is for the contracts; without one, only their maximum counts. */
export function createAddressBook(caller: string, room?: Pick<ContractRoom, 'add'>): AddressBook {
  const creations = createCreations(room);
  const settling = createSettling();
  const senders = new Set<string>();
  const bases = new Map<number, { base: number; from: number }[]>();
  return {
    caller,
    end: settling.end,
    whenSettled: settling.whenSettled,
    isAwaited: settling.isAwaited,
    survey(network, index, { from, contract_address: own, created_contracts: inner = [] }) {
      if (isDistinctive(digitsOf(from))) senders.add(digitsOf(from));
      if (own) creations.add(own, { network, index, isDirect: true, isSettled: false });
      for (const address of inner)
        creations.add(address, { network, index, isDirect: false, isSettled: false });
    },
    isSender: (digits) => senders.has(digits),
    has: (digits) => creations.of(digits) !== undefined,
    find(network, digits) {
      const all = creations.of(digits);
      const own = all?.find((creation) => creation.network === network);
      const meant = own ?? all?.[0];
      if (!all || !meant) return undefined;
      return { meant, others: own ? [] : all.slice(1) };
    },
    setBase(network, base, from) {
      bases.set(network, [...(bases.get(network) ?? []), { base, from }]);
    },
    predict({ network, index, isDirect }) {
      const found = bases.get(network)?.findLast(({ from }) => from <= index);
      return isDirect && found ? digitsOf(createAddressOf(caller, found.base + index)) : undefined;
    },
    learn(index, network, { recorded, replayed }) {
      const { contract_address: own, created_contracts: inner = [] } = recorded;
      const pairs = inner.map((address, at) => [address, replayed.created_contracts?.[at]] as const);
      if (own) pairs.push([own, replayed.contract_address]);
      for (const [former, address] of pairs) {
        const all = creations.of(digitsOf(former));
        const creation = all?.find((one) => one.network === network && one.index === index);
        if (creation && !creation.isSettled) settling.settle(creation, address);
      }
    },
  };
}

/** By address; the first one of each network. */
function createCreations(room?: Pick<ContractRoom, 'add'>) {
  const known = new Map<string, Creation[]>();
  let count = 0;
  return {
    of: (digits: string) => known.get(digits),
    add(address: string, creation: Creation): void {
      const digits = digitsOf(address);
      const others = known.get(digits) ?? [];
      if (!isDistinctive(digits) || others.some(({ network }) => network === creation.network)) return;
      count += 1;
      if (count > maxContracts) throw tooMany();
      room?.add();
      known.set(digits, [...others, creation]);
    },
  };
}

/** The callers that wait for creations. */
function createSettling() {
  const waiting = new Map<Creation, (() => void)[]>();
  const ended = new Set<number>();

  function settle(creation: Creation, replayed?: string): void {
    creation.isSettled = true;
    if (replayed) creation.replayed = digitsOf(replayed);
    for (const resolve of waiting.get(creation) ?? []) resolve();
    waiting.delete(creation);
  }

  return {
    settle,
    end(network: number): void {
      ended.add(network);
      for (const creation of waiting.keys()) if (creation.network === network) settle(creation);
    },
    whenSettled(creation: Creation): Promise<void> {
      if (ended.has(creation.network)) creation.isSettled = true;
      if (creation.isSettled) return Promise.resolve();
      return new Promise((resolve) => waiting.set(creation, [...(waiting.get(creation) ?? []), resolve]));
    },
    isAwaited: (network: number) => [...waiting.keys()].some((creation) => creation.network === network),
  };
}

function tooMany(): AppError {
  const message = `the recording created more than ${maxContracts} contracts: split it into shorter ones`;
  return new AppError('BadRequest', message);
}
