import { buildableEngines, engineNames } from '../../core/api/engines.ts';
import { engineObjects } from '../../core/api/names.ts';
import { createFakeKube } from '../../core/kube/testing/fake/fake.ts';
import { configMapType } from '../../core/kube/types.ts';
import { heavyEngineNames, knownEngines, namedEngines, ownEngines } from '../up/heavyEngines.ts';
import { releaseNamespace } from '../up/names.ts';
import { describeBuilder } from './describe.ts';
import { availableEntry, type Published, parsePublished } from './entries.ts';
import { publish, readPublished } from './object.ts';
import { takesOf } from './offers.ts';
import { unnamedEngines } from './unnamed.ts';

const geth: Published = { state: 'Buildable', takes: 'about 2 minutes' };
const ref = { namespace: releaseNamespace, name: engineObjects.available };

describe('what is available, as it is published', () => {
  it('is one entry for each engine, and nobody changes the entries of others', async () => {
    const kube = createFakeKube();
    await publish(kube, new Map([['geth', geth]]));
    await kube.patch(configMapType, ref, { data: { other: 'by hand' } });
    await publish(
      kube,
      new Map<string, Published | undefined>([
        ['geth', undefined],
        ['prysm', geth],
      ]),
    );
    expect((await kube.get(configMapType, ref))?.data).toEqual({
      other: 'by hand',
      prysm: JSON.stringify(geth),
    });
    expect(await readPublished(kube)).toEqual(new Map([['prysm', geth]]));
  });

  it('is published by whoever comes second, too', async () => {
    const kube = createFakeKube();
    await Promise.all([publish(kube, new Map([['geth', geth]])), publish(kube, new Map([['bsc', geth]]))]);
    expect([...(await readPublished(kube)).keys()].sort()).toEqual(['bsc', 'geth']);
  });

  it('needs no write where nothing changes', async () => {
    const kube = createFakeKube();
    await publish(kube, new Map());
    expect(kube.requests).toEqual([]);
  });

  it('names the image as the cluster has it, and what it was built from', () => {
    const image = { repository: 'localhost/slipway/geth', tag: 'abc', tar: '' };
    expect(availableEntry('geth', image)).toEqual({
      state: 'Available',
      image: 'localhost/slipway/geth:abc',
      pullPolicy: 'IfNotPresent',
      source: expect.stringMatching(/^[0-9a-f]{12}$/),
    });
    const digest = `sha256:${'a'.repeat(64)}`;
    expect(availableEntry('geth', { ...image, digest })).toMatchObject({
      image: `localhost/slipway/geth@${digest}`,
    });
  });

  it('that somebody wrote by hand and wrongly is ignored', () => {
    expect(parsePublished({ geth: '{', prysm: '{"state":"Perfect"}', bsc: JSON.stringify(geth) })).toEqual(
      new Map([['bsc', geth]]),
    );
  });
});

describe('the engines that can be built', () => {
  it('are those that the service offers a command for', () => {
    expect([...buildableEngines].sort()).toEqual([...heavyEngineNames].sort());
  });

  it.each([
    ['geth', 4, 'about a minute'],
    ['solana', 2, 'about 20 minutes'],
    ['solana', 64, 'about a minute'],
  ] as const)('%s takes with %d processors: %s', (engine, processors, words) => {
    expect(takesOf(engine, processors)).toBe(words);
  });

  it.each([
    [undefined, []],
    ['', []],
    ['none', 'none'],
    ['solana,geth thornode', ['solana', 'geth', 'thornode']],
  ])('ENGINES=%s names %j', (text, names) => {
    expect(namedEngines(text)).toEqual(names);
  });

  it('are named if somebody asks for another one', () => {
    expect(() => knownEngines(['geth', 'parity'])).toThrow(/unknown engine: parity; choose from geth, prysm/);
  });
});

describe('the engines to which the chart gives no image', () => {
  it('are those without a published image, and those that were built here', () => {
    const names = unnamedEngines({ built: ['geth'], canPull: true });
    expect(names.sort()).toEqual([...ownEngines, 'geth'].sort());
  });

  it('are all where nothing can be pulled, except for what make up names itself', () => {
    const names = unnamedEngines({ built: [], canPull: false });
    expect(names).toEqual(engineNames.filter((name) => name !== 'evm-dev' && name !== 'service'));
  });
});

describe('make status', () => {
  const nowMs = Date.parse('2030-01-02T03:05:05Z');
  const facts = { isRunning: true, isSeen: true, log: '/logs/current', wanted: [], entries: new Map() };

  it('says what is built, for how long, and what comes then', () => {
    const entries = new Map<string, Published>([
      ['geth', { state: 'Building', takes: 'about 2 minutes', since: '2030-01-02T03:04:05Z' }],
      ['prysm', geth],
      ['bsc', { state: 'Available', image: 'bsc:1', pullPolicy: 'IfNotPresent' }],
      ['drand', { state: 'Failed', takes: 'x', since: '2030-01-02T03:04:05Z', reason: 'no Go' }],
    ]);
    expect(describeBuilder({ ...facts, entries, wanted: ['geth', 'bsc', 'prysm'] }, nowMs)).toEqual([
      'builder: running',
      'building: geth, for 1 min 0 s; it takes about 2 minutes',
      'networks wait for: geth, prysm',
      'available: bsc',
      'can be built: prysm',
      'failed: drand: no Go',
      'log: /logs/current',
    ]);
  });

  it.each([
    [{ isRunning: false }, /^builder: not running: `make up` starts it/],
    [{ isSeen: false }, /^builder: starting, or without a connection/],
  ])('says that the builder does not work: %j', (more, line) => {
    expect(describeBuilder({ ...facts, ...more }, nowMs)[0]).toMatch(line);
  });
});
