import type { ChainAnswers } from '../../../sdk/src/generated/types.ts';
import { unknownValue } from '../../../sdk/src/unknownValue.ts';

type NamedContract = ChainAnswers['contracts'][number];

/** An ABI that somebody gave in this browser. It stays here: the service knows verified contracts alone. */
interface Kept {
  /** The chain and the address in small letters. */
  key: string;
  name: string;
  abi: Record<string, unknown>[];
}

const item = 'slipway-abis';
const maxKept = 50;
const maxLength = 200_000;

const keyOf = (enclaveID: string, address: string) => `${enclaveID}/${address.toLowerCase()}`;

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>;

function read(storage: Pick<Storage, 'getItem'>): Kept[] {
  try {
    const found: unknown = JSON.parse(storage.getItem(item) ?? '[]');
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

/** Keeps an ABI for a contract on one chain; the oldest ones go. Throws Error when it is too long for a browser. */
export function keepAbi(
  storage: Storage,
  { enclaveID, address }: { enclaveID: string; address: string },
  { name, abi }: { name: string; abi: readonly unknown[] },
): void {
  const key = keyOf(enclaveID, address);
  const entries = abi.filter(
    (one): one is Record<string, unknown> => typeof one === 'object' && one !== null,
  );
  if (JSON.stringify(entries).length > maxLength)
    throw new Error('This ABI is too long to keep in a browser.');
  const others = read(storage).filter((one) => one.key !== key);
  storage.setItem(item, JSON.stringify([...others, { key, name, abi: entries }].slice(-maxKept)));
}

/** The contracts of a chain that are known in this browser. */
export function keptContracts(
  storage: Pick<Storage, 'getItem'>,
  enclaveID: string,
): { address: string; name: string }[] {
  const start = keyOf(enclaveID, '');
  const own = read(storage).filter(({ key }) => key.startsWith(start));
  return own.map(({ key, name }) => ({ address: key.slice(start.length), name }));
}

/** What is known of a contract in this browser. */
export function keptContract(
  storage: Storage,
  enclaveID: string,
  address: string,
): NamedContract | undefined {
  const key = keyOf(enclaveID, address);
  const found = read(storage).find((one) => one.key === key);
  return found && { address, name: found.name, origin: unknownValue('browser'), abi: found.abi };
}
