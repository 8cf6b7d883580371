import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getAddress } from 'ethers';
import { driverOf, engineChainTypes } from '../registry.ts';
import type { EvmChain } from './chain.ts';
import { publicChainIds } from './publicChainIds.ts';
import { shortString } from './storage.ts';
import { everyType } from './testing/everyType.ts';

const chains = everyType.map(([, driver]) => driver);
const table = chains.map(({ facts }): [string, EvmChain] => [facts.name, facts]);
const page = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'chains.md'), 'utf8');

it('all EVM chains are available', () => {
  const drivers = engineChainTypes.map((type) => driverOf(type));
  for (const { facts } of chains) expect(drivers).toContainEqual(expect.objectContaining({ facts }));
});

it('generated ids identify the chain: ten digits, the first two its own, between 2^30 and 2^31', () => {
  const prefixes = chains.map(({ facts }) => String(facts.chainIdPrefix));
  for (const chain of chains) {
    const { chainIdPrefix } = chain.facts;
    expect(prefixes.filter((prefix) => prefix.startsWith(String(chainIdPrefix)))).toEqual([
      String(chainIdPrefix),
    ]);
    // Smallest and largest offset, including longer prefixes.
    for (const seed of ['00000000', '05f5e0ff', '0098967f', 'ffffffff']) {
      const id = chain.generateChainId(seed);
      expect(id).toMatch(new RegExp(`^${chainIdPrefix}[0-9]{${10 - String(chainIdPrefix).length}}$`));
      expect(Number(id)).toBeGreaterThan(2 ** 30);
      expect(Number(id)).toBeLessThan(2 ** 31);
    }
  }
});

/** The ids that were checked in the registry at chainid.network when this was written. */
const known =
  '1 10 25 56 97 100 137 250 300 324 420 4002 5000 5003 8453 17000 42161 42170 43113 43114 59144 80002 84532 421614 534352 560048 11155111 11155420';

it('only forks may use ids of public networks', () => {
  for (const id of known.split(' ')) expect(publicChainIds).toContain(id);
});

describe.each(table)('%s', (_name, facts) => {
  it('has a public id that only forks may use', () => {
    expect(publicChainIds).toContain(String(facts.publicChainId));
  });

  it('has its contracts at addresses with correct checksums, each once', () => {
    const addresses = facts.contracts.map(({ address }) => address);
    expect(addresses).toEqual(addresses.map((address) => getAddress(address)));
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  it('is described in docs/chains.md, with each address and every caveat', () => {
    for (const { address } of facts.contracts) expect(page).toContain(address);
    for (const caveat of facts.caveats) expect(page).toContain(`- ${caveat}\n`);
    expect(page).toContain(`| ${facts.name} | ${facts.currency.symbol} | ${facts.publicChainId} |`);
  });
});

it('a string that does not fit into one slot is refused', () => {
  expect(shortString('WETH')).toBe(`0x${'57455448'.padEnd(62, '0')}08`);
  expect(() => shortString('x'.repeat(32))).toThrow('does not fit');
});
