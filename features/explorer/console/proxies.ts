import { textAt } from './fields.ts';

/** Which pattern a contract follows that has its functions elsewhere. */
type ProxyKind = 'EIP-1967' | 'EIP-1967 beacon' | 'EIP-1167' | 'EIP-7702' | 'OpenZeppelin';

/** Where the calls of a contract go. */
export interface ProxyContract {
  kind: ProxyKind;
  implementation: string;
}

type Read = readonly [method: string, ...params: unknown[]];
/** Asks the node of a network. */
export type Ask = (reads: readonly Read[]) => Promise<readonly { result?: unknown }[]>;

/** keccak256("eip1967.proxy.implementation") - 1. */
const implementationSlot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
/** keccak256("eip1967.proxy.beacon") - 1. */
const beaconSlot = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50';
/** keccak256("org.zeppelinos.proxy.implementation"), from before EIP-1967: large tokens of public chains have it. */
const oldSlot = '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3';
/** What says in its storage that a contract is a proxy. */
export const proxySlots = [implementationSlot, beaconSlot, oldSlot];
/** implementation() */
const implementationCall = '0x5c60da1b';

/** EIP-1167, and EIP-7702 for accounts: the code has the address. */
const inCode: readonly (readonly [ProxyKind, RegExp])[] = [
  ['EIP-1167', /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3$/],
  ['EIP-7702', /^0xef0100([0-9a-f]{40})$/],
];

/** The proxies among these addresses, by address as it is given. Asks only for the storage of what has code. */
export async function proxiesAmong(
  ask: Ask,
  addresses: readonly string[],
): Promise<Map<string, ProxyContract>> {
  const found = new Map<string, ProxyContract>();
  if (addresses.length === 0) return found;
  const codes = await ask(addresses.map((address) => ['eth_getCode', address, 'latest'] as const));
  const contracts: string[] = [];
  for (const [index, address] of addresses.entries()) {
    const code = textAt(codes[index], 'result')?.toLowerCase() ?? '0x';
    const proxy = proxyInCode(code);
    if (proxy) found.set(address, proxy);
    else if (code !== '0x') contracts.push(address);
  }
  for (const [address, proxy] of await proxiesInStorage(ask, contracts)) found.set(address, proxy);
  return found;
}

function proxyInCode(code: string): ProxyContract | undefined {
  for (const [kind, pattern] of inCode) {
    const digits = pattern.exec(code)?.[1];
    if (digits !== undefined) return { kind, implementation: `0x${digits}` };
  }
  return undefined;
}

async function proxiesInStorage(ask: Ask, contracts: readonly string[]): Promise<[string, ProxyContract][]> {
  if (contracts.length === 0) return [];
  const words = await ask(
    contracts.flatMap((address) =>
      proxySlots.map((slot) => ['eth_getStorageAt', address, slot, 'latest'] as const),
    ),
  );
  const found: [string, ProxyContract][] = [];
  const beacons: [address: string, beacon: string][] = [];
  for (const [index, address] of contracts.entries()) {
    const [own, beacon, old] = proxySlots.map((_, slot) =>
      addressIn(words[index * proxySlots.length + slot]),
    );
    if (own) found.push([address, { kind: 'EIP-1967', implementation: own }]);
    else if (beacon) beacons.push([address, beacon]);
    else if (old) found.push([address, { kind: 'OpenZeppelin', implementation: old }]);
  }
  return [...found, ...(await proxiesOfBeacons(ask, beacons))];
}

async function proxiesOfBeacons(
  ask: Ask,
  beacons: readonly [address: string, beacon: string][],
): Promise<[string, ProxyContract][]> {
  if (beacons.length === 0) return [];
  const answers = await ask(
    beacons.map(([, to]) => ['eth_call', { to, data: implementationCall }, 'latest'] as const),
  );
  return beacons.flatMap(([address], index): [string, ProxyContract][] => {
    const implementation = addressIn(answers[index]);
    return implementation ? [[address, { kind: 'EIP-1967 beacon', implementation }]] : [];
  });
}

/** The address in a word; undefined for zero, and for what is none. */
function addressIn(answer: { result?: unknown } | undefined): string | undefined {
  const digits = /^0x0{24}([0-9a-f]{40})$/i.exec(textAt(answer, 'result') ?? '')?.[1]?.toLowerCase();
  return digits === undefined || /^0+$/.test(digits) ? undefined : `0x${digits}`;
}
