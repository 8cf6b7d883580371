import { systemContractsForTests } from '../../hack/contracts/forTests.ts';
import { type ChainType, chainTypes, type Layer2Type, layer2Types } from '../api/resources/chainSpecs.ts';
import { chainSchema } from '../api/resources/network.ts';
import type { EngineSet } from '../engines/engineSet.ts';
import { aSetOf } from '../engines/testing/engineSets.ts';
import { lowerCase } from '../lib/typed.ts';
import { allEngines } from './ethereum/testing/planInput.ts';
import { evmChains } from './evm/evmChains.ts';
import { driverOf, engineChainTypes, unavailableParts } from './registry.ts';
import { type DriverCase, describeDriver } from './testing/conformance.ts';

interface Sample {
  hotAddress: string;
  publicChainIds: string[];
  isFaithful?: boolean;
  forks?: DriverCase['forks'];
}

const hotAddress = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A';
const evm = (publicChainId: string): Sample => ({ hotAddress, publicChainIds: [publicChainId, '1'] });

/** The specs with which each type's conformance is tested. */
const samples: Partial<Record<ChainType, Sample>> = {
  ...Object.fromEntries(evmChains.map(({ type, publicChainId }) => [type, evm(String(publicChainId))])),
  Ethereum: { ...evm('11155111'), isFaithful: true },
  Solana: {
    hotAddress: 'FVen3X669xLzsi6N2V91DoiyzHzg1uAgqiT8jZ9nS96Z',
    publicChainIds: ['mainnet-beta', 'devnet'],
    forks: 'latest',
  },
  Thorchain: {
    hotAddress: 'tthor15428vq2uzwhm3taey9sr9x5vm6tk78ewmya5zr',
    publicChainIds: ['thorchain-1'],
    forks: 'never',
  },
};

const systemContracts = systemContractsForTests();

const realTypes: readonly Layer2Type[] = ['Optimism', 'Base', 'Mantle', 'BNB', 'Avalanche'];
const real = (type: Layer2Type, spec: object) =>
  chainSchema.parse({ type, [lowerCase(type)]: { ...spec, profile: 'real' } });

it('has a sample for every type that runs an engine', () => {
  expect(Object.keys(samples).sort()).toEqual([...engineChainTypes].sort());
});

describe.each(Object.entries(samples))('%s', (name, sample) => {
  const type = engineChainTypes.find((candidate) => candidate === name) ?? 'Ethereum';
  const driver = driverOf(type);
  if (!driver) throw new Error(`${type} has no driver`);
  const chain = chainSchema.parse({
    type,
    [chainTypes[type].member]: { privateKeyRef: { name: 'key' } },
  });
  const { forks = 'anyBlock' } = sample;
  describeDriver({ driver, chain, systemContracts, isFaithful: false, ...sample, forks });
});

it.each(['Solana', 'Thorchain'] as const)('%s is not available without an image for its engine', (type) => {
  const chain = chainSchema.parse({ type, [chainTypes[type].member]: {} });
  expect(unavailableParts({ chain }, aSetOf({}))).toEqual([
    {
      path: 'spec.chain.type',
      message: expect.stringMatching(/^needs engines\.(solana-dev|thornode), which .*make engines/),
    },
  ]);
});

describe('Solana with a real validator', () => {
  const driver = driverOf('Solana');
  if (!driver) throw new Error('Solana has no driver');
  const chain = chainSchema.parse({
    type: 'Solana',
    solana: { privateKeyRef: { name: 'key' }, profile: 'real' },
  });
  const { hotAddress = '', publicChainIds = [] } = samples.Solana ?? {};
  const sample = { hotAddress, publicChainIds, isFaithful: false, forks: 'latest' } as const;
  describeDriver({ driver, chain, systemContracts, ...sample });
});

describe.each(realTypes)('%s with its real client', (type) => {
  const driver = driverOf(type);
  if (!driver) throw new Error(`${type} has no driver`);
  const chain = real(type, { privateKeyRef: { name: 'key' } });
  const sample = { hotAddress, publicChainIds: ['1'], isFaithful: false, forks: 'never' } as const;
  describeDriver({ driver, chain, systemContracts, ...sample });
});

describe('a real client of a Layer 2', () => {
  const refusalOf = (type: Layer2Type, spec: object, engines = allEngines) =>
    unavailableParts({ chain: real(type, spec) }, engines);

  it.each(layer2Types.filter((type) => !realTypes.includes(type)))(
    'is not offered for %s, with the reason',
    (type) => {
      const path = `spec.chain.${lowerCase(type)}.profile`;
      const message = expect.stringMatching(
        `^"real" is not available for ${type}: .{20,}\\. Use "light", or omit it$`,
      );
      expect(refusalOf(type, {})).toEqual([{ path, message }]);
    },
  );

  it.each<[Layer2Type, string]>([
    ['Base', 'engines.op-geth and engines.op-sequencer'],
    ['BNB', 'engines.bsc'],
    ['Avalanche', 'engines.avalanchego'],
  ])('of %s is not available without its images, with the way to get them', (type, names) => {
    const path = `spec.chain.${lowerCase(type)}.profile`;
    const message = expect.stringMatching(`^needs ${names}, which .*, or use the profile "light"$`);
    expect(refusalOf(type, {}, aSetOf({}))).toEqual([{ path, message }]);
  });

  it.each<[Layer2Type, object, string, RegExp]>([
    ['BNB', { blockTime: 3 }, 'blockTime', /every 0.45 seconds\. Use the profile "light", or omit it$/],
    ['BNB', { gasLimit: 24_999_999 }, 'gasLimit', /use at least 25000000$/],
    ['Optimism', { gasLimit: 4_999_999 }, 'gasLimit', /use at least 5000000$/],
    [
      'Avalanche',
      { blockTime: 3 },
      'blockTime',
      /at most every 2 seconds\. Use the profile "light", or omit it$/,
    ],
    ['Avalanche', { gasLimit: 9_999_999 }, 'gasLimit', /use at least 10000000$/],
  ])('of %s refuses %j', (type, spec, member, message) => {
    const path = `spec.chain.${lowerCase(type)}.${member}`;
    expect(refusalOf(type, spec)).toEqual([{ path, message: expect.stringMatching(message) }]);
  });
});

describe('Ethereum with participants', () => {
  const driver = driverOf('Ethereum');
  if (!driver) throw new Error('Ethereum has no driver');
  const participants = [
    { count: 2 },
    { elType: 'erigon', clType: 'grandine' },
    { elType: 'besu', clType: 'teku' },
  ];
  const chain = chainSchema.parse({
    type: 'Ethereum',
    ethereum: { privateKeyRef: { name: 'key' }, participants },
  });
  const sample = { ...evm('560048'), isFaithful: true, forks: 'never' } as const;
  describeDriver({ driver, chain, systemContracts, ...sample });
});

describe('what can be built', () => {
  const offered: EngineSet = {
    ...aSetOf({ 'evm-dev': {} }),
    offers: {
      thornode: { state: 'Buildable', takes: 'about 3 minutes' },
      drand: { state: 'Buildable', takes: 'a minute' },
    },
  };

  it.each([
    ['a chain', { type: 'Thorchain', thorchain: {} }, []],
    ['a chain that nobody can build', { type: 'Solana', solana: {} }, ['spec.chain.type']],
    [
      'a plugin',
      { type: 'Base', base: { plugins: { vrf: { type: 'mpc' } } } },
      ['spec.chain.base.plugins.vrf'],
    ],
  ])('is accepted, and the rest refused: %s', (_what, chain, paths) => {
    const found = unavailableParts({ chain: chainSchema.parse(chain) }, offered);
    expect(found.map(({ path }) => path)).toEqual(paths);
  });
});
