import type { ChainAnswers } from '../../../sdk/src/generated/types.ts';
import { unknownValue } from '../../../sdk/src/unknownValue.ts';
import { contractName } from './contractName.ts';
import { inParts } from './inParts.ts';
import { type Ask, proxiesAmong } from './proxies.ts';
import { texts } from './texts.ts';

type NamedContract = ChainAnswers['contracts'][number];

export interface Names {
  /** What is known of contracts, by address in small letters. Each address is asked for once. */
  name(addresses: readonly string[]): Promise<Map<string, NamedContract>>;
  /** Asks for it again, the next time. */
  forget(address: string): void;
}

interface NameSources {
  /** What the service knows of at most 20 contracts. */
  askNames: (addresses: string[]) => Promise<NamedContract[]>;
  askNode: Ask;
  /** What this browser knows of a contract. */
  kept: (address: string) => NamedContract | undefined;
}

const maxAddresses = 20;

/** What is known of contracts: each is asked for once, unless that failed. */
export function createNames(sources: NameSources): Names {
  const known = new Map<string, Promise<NamedContract | undefined>>();

  /** Begins to ask for addresses that nobody asked for yet. */
  function begin(addresses: readonly string[]): void {
    for (const contracts of inParts(addresses, maxAddresses)) {
      const answer = namesOf(sources, contracts);
      for (const address of contracts) {
        const found = answer.then((all) => all.get(address));
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

/** What is known of contracts; a proxy has the ABI of its implementation, too. */
async function namesOf(sources: NameSources, addresses: string[]): Promise<Map<string, NamedContract>> {
  const found = await ownNames(sources, addresses);
  // The service knows its own tokens with what is behind them.
  const others = addresses.filter((address) => found.get(address)?.origin !== 'token');
  const proxies = await proxiesAmong(sources.askNode, others).catch(() => new Map());
  if (proxies.size === 0) return found;
  const targets = [...new Set([...proxies.values()].map(({ implementation }) => implementation))];
  const behind = await ownNames(sources, targets);
  for (const [address, { implementation }] of proxies) {
    const target = behind.get(implementation);
    if (target) found.set(address, proxyOf(address, found.get(address), target));
  }
  return found;
}

async function ownNames(
  { askNames, kept }: NameSources,
  addresses: string[],
): Promise<Map<string, NamedContract>> {
  const all = new Map((await askNames(addresses)).map((one) => [one.address, shortNamed(one)]));
  return new Map(
    addresses.flatMap((address) => {
      const contract = all.get(address) ?? kept(address);
      return contract ? [[address, contract] as const] : [];
    }),
  );
}

function shortNamed(contract: NamedContract): NamedContract {
  return { ...contract, name: contractName(contract.name) };
}

const callable = new Set<unknown>(['function', 'event', 'error']);

function proxyOf(address: string, own: NamedContract | undefined, target: NamedContract): NamedContract {
  const entries = target.abi.filter(({ type }) => callable.has(type));
  if (own) return { ...own, abi: [...own.abi, ...entries] };
  return { address, name: texts.proxyOf(target.name), origin: unknownValue('proxy'), abi: entries };
}
