import { systemContractsForTests } from '../../hack/contracts/forTests.ts';
import { type ChainType, chainTypes } from '../api/chainSpecs.ts';
import { chainSchema } from '../api/network.ts';
import { describeDriver } from './conformance.ts';
import { availableChainTypes, driverOf } from './registry.ts';

interface Sample {
  hotAddress: string;
  publicChainIds: string[];
  isFaithful?: boolean;
}

const hotAddress = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A';
const evm = (publicChainId: string): Sample => ({ hotAddress, publicChainIds: [publicChainId, '1'] });

/** What each type's conformance is tried with. */
const samples: Partial<Record<ChainType, Sample>> = {
  Ethereum: { ...evm('11155111'), isFaithful: true },
  Arbitrum: evm('42161'),
  Optimism: evm('10'),
  Base: evm('8453'),
  BNB: evm('56'),
  Avalanche: evm('43114'),
  Fantom: evm('250'),
  Mantle: evm('5000'),
  ZKSync: evm('324'),
  Polygon: evm('137'),
};

const systemContracts = systemContractsForTests();

it('has a sample for every type that is available', () => {
  expect(Object.keys(samples).sort()).toEqual([...availableChainTypes].sort());
});

describe.each(Object.entries(samples))('%s', (name, sample) => {
  const type = availableChainTypes.find((candidate) => candidate === name) ?? 'Ethereum';
  const driver = driverOf(type);
  if (!driver) throw new Error(`${type} has no driver`);
  const chain = chainSchema.parse({
    type,
    [chainTypes[type].member]: { privateKeyRef: { name: 'key' } },
  });
  describeDriver({ driver, chain, systemContracts, isFaithful: false, ...sample });
});
