import { chartEngineSchema } from '../../api/engines.ts';
import type { EthereumSpec } from '../../api/resources/chainSpecs.ts';
import { mergeEngines } from '../../engines/engineSet.ts';
import { enginesOfParticipants, refuseParticipants } from './refusals.ts';
import { allEngines } from './testing/planInput.ts';

function refusalsOf(spec: Partial<EthereumSpec>, set = allEngines) {
  return refuseParticipants({ privateKeyRef: { name: 'key' }, participants: [{}], ...spec }, set);
}

const base = 'spec.chain.ethereum';

const good: [reason: string, spec: Partial<EthereumSpec>][] = [
  ['nothing named', {}],
  ['an image of the repository', { participants: [{ elImage: 'geth:anything' }] }],
  ['an image with its full name', { participants: [{ clImage: 'mirror/prysm:2' }] }],
  ['the default image', { participants: [{ elType: 'reth', elImage: 'reth:1' }] }],
  ['a single node of any kind', { participants: [{ clType: 'nimbus' }] }],
  ['several of which one can be a peer by key', { participants: [{ clType: 'nimbus' }, { clType: 'teku' }] }],
];

it.each(good)('accepts %s', (_reason, spec) => {
  expect(refusalsOf(spec)).toEqual([]);
});

const bad: [reason: string, spec: Partial<EthereumSpec>, path: string, message: RegExp][] = [
  [
    'a foreign image',
    { participants: [{}, { elImage: 'evil.example/geth:1' }] },
    `${base}.participants[1].elImage`,
    /"evil.example\/geth:1" is not allowed.*use geth:\*, mirror\/geth:2/,
  ],
  [
    'the image of another client',
    { participants: [{ clImage: 'geth:1' }] },
    `${base}.participants[0].clImage`,
    /is not allowed/,
  ],
  [
    'a reserved flag',
    { participants: [{ clExtraArgs: '--datadir=x' }] },
    `${base}.participants[0].clExtraArgs`,
    /"--datadir" is not allowed: the network sets everything else; allowed: --blob-batch-limit, /,
  ],
  [
    'a value of another type',
    { participants: [{}, { elExtraArgs: '--cache=banana' }] },
    `${base}.participants[1].elExtraArgs`,
    /^"--cache" takes a whole number from 0 to 65536, not "banana"$/,
  ],
  [
    'an open quote',
    { participants: [{ elExtraArgs: "'" }] },
    `${base}.participants[0].elExtraArgs`,
    /has an unclosed quote/,
  ],
  ['too few validators', { validatorCount: 63 }, `${base}.validatorCount`, /must be 64 to/],
  ['too many validators', { validatorCount: 100_000 }, `${base}.validatorCount`, /must be 64 to/],
  ['a fork', { forking: { enabled: true } }, `${base}.forking`, /cannot be a fork: omit it/],
  [
    'several nodes that cannot find each other',
    { participants: [{ clType: 'nimbus', count: 2 }] },
    `${base}.participants`,
    /one must have clType teku or prysm/,
  ],
];

it.each(bad)('refuses %s', (_reason, spec, path, message) => {
  expect(refusalsOf(spec)).toEqual([{ path, message: expect.stringMatching(message) }]);
});

it('needs its clients, each for the member that names it, and what creates the genesis', () => {
  const participants: EthereumSpec['participants'] = [{}, { elType: 'reth', clType: 'teku' }];
  expect(enginesOfParticipants({ privateKeyRef: { name: 'key' }, participants })).toEqual([
    { engine: 'geth', path: `${base}.participants[0].elType` },
    { engine: 'prysm', path: `${base}.participants[0].clType` },
    { engine: 'prysm-validator', path: `${base}.participants[0].clType` },
    { engine: 'reth', path: `${base}.participants[1].elType` },
    { engine: 'teku', path: `${base}.participants[1].clType` },
    { engine: 'ethereum-genesis', path: `${base}.participants` },
  ]);
});

describe('the image of a client that is still to be built', () => {
  const geth = chartEngineSchema.parse({ allowedImages: ['geth:*'] });
  const set = mergeEngines({ chart: { geth }, available: {}, hasBuilder: false });
  it.each([
    ['may be an allowed one', 'geth:2', []],
    ['may be a tag, which is judged later', ':v2', []],
    [
      'must be an allowed one',
      'evil/geth:2',
      [expect.objectContaining({ path: `${base}.participants[0].elImage` })],
    ],
  ])('%s', (_reason, elImage, refusals) => {
    expect(refusalsOf({ participants: [{ elImage }] }, set)).toEqual(refusals);
  });
});
