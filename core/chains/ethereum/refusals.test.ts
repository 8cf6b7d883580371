import type { EthereumSpec } from '../../api/resources/chainSpecs.ts';
import { refuseParticipants } from './refusals.ts';
import { allEngines } from './testing/planInput.ts';

function refusalsOf(spec: Partial<EthereumSpec>, engines = allEngines) {
  return refuseParticipants({ privateKeyRef: { name: 'key' }, participants: [{}], ...spec }, engines);
}

const base = 'spec.chain.ethereum';

const good: [reason: string, spec: Partial<EthereumSpec>][] = [
  ['nothing named', {}],
  ['an image of the repository', { participants: [{ elImage: 'geth:anything' }] }],
  ['an image that is named whole', { participants: [{ clImage: 'mirror/prysm:2' }] }],
  ['the usual image', { participants: [{ elType: 'reth', elImage: 'reth:1' }] }],
  ['one node alone of any kind', { participants: [{ clType: 'nimbus' }] }],
  ['several of which one can be named', { participants: [{ clType: 'nimbus' }, { clType: 'teku' }] }],
];

it.each(good)('accepts %s', (_reason, spec) => {
  expect(refusalsOf(spec)).toEqual([]);
});

const bad: [reason: string, spec: Partial<EthereumSpec>, path: string, message: RegExp][] = [
  [
    'an image of others',
    { participants: [{}, { elImage: 'evil.example/geth:1' }] },
    `${base}.participants[1].elImage`,
    /«evil.example\/geth:1» is not allowed.*use geth:\*, mirror\/geth:2/,
  ],
  [
    'the image of another client',
    { participants: [{ clImage: 'geth:1' }] },
    `${base}.participants[0].clImage`,
    /is not allowed/,
  ],
  [
    'a flag of the network’s',
    { participants: [{ clExtraArgs: '--datadir=x' }] },
    `${base}.participants[0].clExtraArgs`,
    /«--datadir» may not be set: files and folders/,
  ],
  [
    'an open quote',
    { participants: [{ elExtraArgs: "'" }] },
    `${base}.participants[0].elExtraArgs`,
    /a quote is not closed/,
  ],
  ['too few validators', { validatorCount: 63 }, `${base}.validatorCount`, /use 64 to/],
  ['too many validators', { validatorCount: 100_000 }, `${base}.validatorCount`, /use 64 to/],
  ['a fork', { forking: { enabled: true } }, `${base}.forking`, /cannot be a fork: leave it out/],
  [
    'several that nobody can find',
    { participants: [{ clType: 'nimbus', count: 2 }] },
    `${base}.participants`,
    /one must have the clType teku or prysm/,
  ],
];

it.each(bad)('refuses %s', (_reason, spec, path, message) => {
  expect(refusalsOf(spec)).toEqual([{ path, message: expect.stringMatching(message) }]);
});

it('refuses what the installation has no image for', () => {
  const engines = { 'evm-dev': allEngines['evm-dev'], geth: allEngines.geth };
  const paths = refusalsOf({}, engines as typeof allEngines).map(({ path }) => path);
  expect(paths).toEqual([
    `${base}.participants`,
    `${base}.participants[0].clType`,
    `${base}.participants[0].clType`,
  ]);
});
