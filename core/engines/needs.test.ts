import type { EngineSet } from './engineSet.ts';
import { type EngineNeed, engineBlocker, missingEngines, refusedNeeds } from './needs.ts';
import { aSetOf } from './testing/engineSets.ts';

const path = 'spec.chain.ethereum.participants[0]';
const needs: EngineNeed[] = [
  { engine: 'geth', path: `${path}.elType` },
  { engine: 'prysm', path: `${path}.clType` },
  { engine: 'prysm-validator', path: `${path}.clType` },
];
const since = '2030-01-02T12:03:10Z';
const buildable = (takes: string) => ({ state: 'Buildable', takes }) as const;
const building = (takes: string) => ({ state: 'Building', takes, since }) as const;
const offers = (given: EngineSet['offers'], images: Parameters<typeof aSetOf>[0] = {}): EngineSet => ({
  ...aSetOf(images),
  offers: given,
});
const all = {
  geth: buildable('about 2 minutes'),
  prysm: buildable('about 3 minutes'),
  'prysm-validator': buildable('about a minute'),
};

it('nothing is in the way where all engines are there', () => {
  expect(engineBlocker(needs, aSetOf({ geth: {}, prysm: {}, 'prysm-validator': {} }))).toBeUndefined();
});

it('each missing engine counts once', () => {
  expect(missingEngines([...needs, ...needs], aSetOf({ prysm: {} }))).toEqual(['geth', 'prysm-validator']);
});

describe('what is neither there nor offered', () => {
  it('is refused with the chart value and the command, for each member of the spec', () => {
    expect(engineBlocker(needs, aSetOf({}))).toEqual({
      kind: 'refused',
      details: [
        {
          path: `${path}.elType`,
          message:
            'needs engines.geth, which this installation lacks: set engines.geth in the chart, or run "make engines ENGINES=geth" on the machine that ran "make up"',
        },
        {
          path: `${path}.clType`,
          message:
            'needs engines.prysm and engines.prysm-validator, which this installation lacks: set engines.prysm and engines.prysm-validator in the chart, or run "make engines ENGINES=\'prysm prysm-validator\'" on the machine that ran "make up"',
        },
      ],
    });
  });

  it('names no command for what cannot be built here', () => {
    const [detail] = refusedNeeds([{ engine: 'reth', path: 'spec' }], aSetOf({}));
    expect(detail?.message).toBe(
      'needs engines.reth, which this installation lacks: set engines.reth in the chart',
    );
  });

  it('names what can be done instead', () => {
    const need = { engine: 'bsc', path: 'spec', instead: 'use the profile "light"' } as const;
    expect(refusedNeeds([need], aSetOf({}))[0]?.message).toMatch(/"make up", or use the profile "light"$/);
  });

  it('is refused even if others are offered', () => {
    const { geth } = all;
    expect(engineBlocker(needs, offers({ geth }))).toMatchObject({
      kind: 'refused',
      details: [{ path: `${path}.clType` }],
    });
  });
});

describe('what is offered is waited for, and the message', () => {
  const messageOf = (set: EngineSet) => engineBlocker(needs, set);

  it('says what comes, and about how long each takes', () => {
    expect(messageOf(offers(all))).toEqual({
      kind: 'waiting',
      message:
        'waiting for the builder, which makes engines.geth (about 2 minutes), then engines.prysm (about 3 minutes), then engines.prysm-validator (about a minute)',
    });
  });

  it('says what is being built, since when, and what comes then', () => {
    const geth = building('about 2 minutes');
    expect(messageOf(offers({ ...all, geth }, { prysm: {} }))).toEqual({
      kind: 'waiting',
      message:
        'engines.geth is being built, which takes about 2 minutes (since 12:03:10 UTC); then engines.prysm-validator (about a minute)',
    });
  });

  it('says what is built before it', () => {
    const solana = building('about 20 minutes');
    expect(messageOf(offers({ ...all, solana }, { prysm: {}, 'prysm-validator': {} }))).toEqual({
      kind: 'waiting',
      message:
        'waiting to be built: engines.geth (about 2 minutes); before that, engines.solana takes about 20 minutes (since 12:03:10 UTC)',
    });
  });

  it('says why a build failed, and that it is tried again', () => {
    const geth = { state: 'Failed', takes: 'about 2 minutes', since, reason: 'no space is left.' } as const;
    expect(messageOf(offers({ ...all, geth }))).toEqual({
      kind: 'failed',
      message:
        'engines.geth could not be built (12:03:10 UTC): no space is left; it is tried again; "make status" on the machine that ran "make up" shows the log',
    });
  });
});
