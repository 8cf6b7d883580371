import type { Client } from '../../../../sdk/src/client.ts';
import type { ChainAnswers } from '../../../../sdk/src/generated/types.ts';

import { keptContract } from './abis.ts';

export type Answer = ChainAnswers['answers'][number];
export type NamedContract = ChainAnswers['contracts'][number];
type Call = readonly [method: string, ...params: unknown[]];

/** Reads one chain of a network, without using the network. */
export interface Reader {
  /** The answers in the order of the calls. Rejects when the network runs another chain by now, or none. */
  ask(calls: readonly Call[]): Promise<Answer[]>;
  /** The result of one call; undefined when the node has none. Rejects when the node refuses it. */
  one(...call: Call): Promise<unknown>;
  /** What is known of contracts, by address in small letters. Each address is asked for once. */
  name(addresses: readonly string[]): Promise<Map<string, NamedContract>>;
  /** Asks for it again, the next time. */
  forget(address: string): void;
}

const maxCalls = 50;
const maxAddresses = 20;

interface ReaderOptions {
  client: Pick<Client, 'networks'>;
  networkId: string;
  enclaveID: string;
  signal: AbortSignal;
  /** What this browser knows of contracts that the service does not know. */
  storage?: Pick<Storage, 'getItem' | 'setItem'>;
}

export function createReader(options: ReaderOptions): Reader {
  const { client, networkId, enclaveID, signal } = options;

  async function read(body: Parameters<Client['networks']['readChain']>[1]): Promise<ChainAnswers> {
    const answers = await client.networks.readChain(networkId, body, { signal });
    if (answers.enclaveID === enclaveID) return answers;
    throw new Error('The network began another chain.');
  }

  async function ask(calls: readonly Call[]): Promise<Answer[]> {
    const parts: Answer[] = [];
    for (const some of inParts(calls, maxCalls)) {
      const reads = some.map(([method, ...params]) => (params.length > 0 ? { method, params } : { method }));
      parts.push(...(await read({ reads })).answers);
    }
    return parts;
  }

  return {
    ask,
    async one(...call) {
      const [answer] = await ask([call]);
      if (answer?.error) throw new Error(answer.error.message);
      return answer?.result ?? undefined;
    },
    ...createNames(async (contracts) => (await read({ contracts })).contracts, options),
  };
}

type Ask = (addresses: string[]) => Promise<NamedContract[]>;

/** What is known of contracts: each is asked for once, unless that failed. */
function createNames(ask: Ask, { enclaveID, storage }: ReaderOptions): Pick<Reader, 'name' | 'forget'> {
  const known = new Map<string, Promise<NamedContract | undefined>>();

  /** Begins to ask for addresses that nobody asked for yet. */
  function begin(addresses: readonly string[]): void {
    for (const contracts of inParts(addresses, maxAddresses)) {
      const answer = ask(contracts);
      for (const address of contracts) {
        const own = (all: NamedContract[]) => all.find((one) => one.address === address);
        const found = answer.then(
          (all) => own(all) ?? (storage && keptContract(storage, enclaveID, address)),
        );
        known.set(address, found);
        found.catch(() => known.delete(address));
      }
    }
  }

  return {
    forget: (address) => void known.delete(address.toLowerCase()),
    async name(addresses) {
      const wanted = [...new Set(addresses.map((address) => address.toLowerCase()))];
      begin(wanted.filter((address) => !known.has(address)));
      const found = await Promise.all(
        wanted.map(async (address) => [address, await known.get(address)] as const),
      );
      return new Map(
        found.flatMap(([address, contract]) => (contract ? [[address, contract] as const] : [])),
      );
    },
  };
}

function inParts<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}
