import { chainTypeNames } from '../api/resources/chainSpecs.ts';
import type { ChainOption, ChainTypeOffer } from '../api/rest/chainTypes.ts';
import { mergeEngines } from '../engines/engineSet.ts';
import { aSetOf } from '../engines/testing/engineSets.ts';
import { chainTypeOffers } from './offers.ts';

const noForks = { url: '', types: undefined, ownSources: undefined };
const all = (engines = aSetOf({ 'evm-dev': 'dev:1' }), forks: object = noForks): ChainTypeOffer[] =>
  chainTypeOffers({ engines, forks: { ...noForks, ...forks } as never });

const optionIn = (offers: ChainTypeOffer[], type: string, setting: ChainOption['setting'], value: string) =>
  offers
    .find((offer) => offer.type === type)
    ?.options.find((one) => one.setting === setting && one.value === value);

test('every type is there once, with what it lacks and the remedy', () => {
  const offers = all();
  expect(offers.map(({ type }) => type)).toEqual(chainTypeNames);
  const missing = offers.filter((offer) => offer.missing !== undefined).map(({ type }) => type);
  expect(missing).toEqual(['Solana', 'Thorchain']);
  expect(offers.find(({ type }) => type === 'Thorchain')?.missing).toMatch(
    /^needs engines\.thornode, which this installation lacks: .*make engines ENGINES=thornode/,
  );
});

test('a client is missing for its own engines, not for those of the other client of the participant', () => {
  const engines = aSetOf({ 'evm-dev': 'dev:1', geth: 'geth:1', 'ethereum-genesis': 'genesis:1' });
  expect(optionIn(all(engines), 'Ethereum', 'elType', 'geth')).toEqual({ setting: 'elType', value: 'geth' });
  expect(optionIn(all(engines), 'Ethereum', 'clType', 'prysm')?.missing).toMatch(/engines\.prysm and/);
});

test('what a builder makes first is a wait, with its time', () => {
  const takes = 'about 2 minutes';
  const engines = mergeEngines({
    chart: {
      'evm-dev': { image: 'dev', pullPolicy: 'IfNotPresent', allowedImages: [] },
      bsc: { pullPolicy: 'IfNotPresent', allowedImages: [] },
    },
    available: { bsc: { state: 'Buildable', takes } },
    hasBuilder: true,
  });
  expect(optionIn(all(engines), 'BNB', 'profile', 'real')).toEqual({
    setting: 'profile',
    value: 'real',
    wait: `waiting for the builder, which makes engines.bsc (${takes})`,
  });
});

test('forks are offered where a type can fork, and name the chart value where there is no source', () => {
  expect(optionIn(all(), 'Base', 'forking', 'enabled')?.missing).toContain('forkSources.Base');
  expect(
    optionIn(all(undefined, { url: 'http://forks' }), 'Base', 'forking', 'enabled')?.missing,
  ).toBeUndefined();
  expect(optionIn(all(), 'LayerZero', 'forking', 'enabled')).toBeUndefined();
});

test('plugins are those of the type, each with what it is', () => {
  expect(optionIn(all(), 'Base', 'plugins', 'uniswap')).toBeUndefined();
  expect(optionIn(all(), 'Ethereum', 'plugins', 'uniswap')).toMatchObject({
    description: expect.stringMatching(/Uniswap/),
  });
});

test('types with one engine have no choice of profiles', () => {
  const withProfiles = all().filter(({ options }) => options.some(({ setting }) => setting === 'profile'));
  expect(withProfiles.map(({ type }) => type)).toEqual([
    'Optimism',
    'Base',
    'BNB',
    'Avalanche',
    'Mantle',
    'Solana',
  ]);
});
