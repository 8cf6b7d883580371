import { settle } from '../../core/kube/testing/settle.ts';
import { toRfc3339 } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import { createManualClock, type ManualClock } from '../../core/lib/manualClock.ts';
import type { HeavyEngine } from '../up/heavyEngines.ts';
import { createBuilder } from './builder.ts';
import type { Published } from './entries.ts';

const takes = { geth: 'about 2 minutes', prysm: 'about 4 minutes', solana: 'about 20 minutes' };
const buildable = (engine: keyof typeof takes): Published => ({ state: 'Buildable', takes: takes[engine] });
const image = (engine: string, source = 'new'): Published => ({
  state: 'Available',
  image: `localhost/slipway/${engine}:${source}`,
  pullPolicy: 'IfNotPresent',
  source,
});

interface Build {
  engine: HeavyEngine;
  signal: AbortSignal;
  end(): Promise<void>;
  fail(message: string): Promise<void>;
}

describe('the builder of engines', () => {
  let clock: ManualClock;
  let entries: Map<string, Published>;
  let wanted: Map<string, number>;
  let listeners: Set<() => void>;
  let builds: Build[];
  let published: string[];
  let isClusterAway: boolean;
  let stop: AbortController;
  let running: Promise<void>;

  async function build(engine: HeavyEngine, signal: AbortSignal): Promise<Published> {
    const { promise, resolve, reject } = Promise.withResolvers<Published>();
    signal.addEventListener('abort', () => reject(new Error('ended')), { once: true });
    if (signal.aborted) reject(new Error('ended'));
    builds.push({
      engine,
      signal,
      async end() {
        resolve(image(engine));
        await settle();
      },
      async fail(message) {
        reject(new Error(message));
        await settle();
      },
    });
    return promise;
  }
  async function publish(changes: ReadonlyMap<string, Published | undefined>): Promise<void> {
    if (isClusterAway) throw new Error('the cluster is away');
    for (const [name, entry] of changes) {
      published.push(`${name} ${entry?.state ?? 'gone'}`);
      if (entry) entries.set(name, entry);
      else entries.delete(name);
    }
  }
  async function start(offers: HeavyEngine[] = ['geth', 'prysm', 'solana']): Promise<void> {
    const builder = createBuilder({
      offers: new Map(offers.map((name) => [name, takes[name as keyof typeof takes]])),
      wanted: () => wanted,
      onChange(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      read: async () => new Map(entries),
      publish,
      isOutdated: (_engine, { source }) => source === 'old',
      build,
      clock,
      log: silentLog,
    });
    running = builder.run(stop.signal);
    await settle();
  }
  async function want(...names: string[]): Promise<void> {
    wanted = new Map(names.map((name) => [name, wanted.get(name) ?? clock.nowMs()]));
    for (const listener of [...listeners]) listener();
    await settle();
  }
  async function pass(ms: number): Promise<void> {
    clock.advance(ms);
    await settle();
  }
  const last = () => {
    const found = builds.at(-1);
    if (!found) throw new Error('nothing was built');
    return found;
  };
  const built = () => builds.map(({ engine }) => engine);

  beforeEach(() => {
    clock = createManualClock();
    [entries, wanted, listeners] = [new Map(), new Map(), new Set()];
    [builds, published, isClusterAway] = [[], [], false];
    stop = new AbortController();
  });
  afterEach(async () => {
    stop.abort();
    await running;
  });

  it('offers what it can build, and builds nothing', async () => {
    await start();
    expect(entries).toEqual(
      new Map(['geth', 'prysm', 'solana'].map((name) => [name, buildable(name as keyof typeof takes)])),
    );
    await pass(3_600_000);
    expect([built(), published]).toEqual([[], ['geth Buildable', 'prysm Buildable', 'solana Buildable']]);
  });

  it('builds what is wanted, one engine at a time, the longest last', async () => {
    await start();
    await want('solana', 'prysm', 'geth');
    expect(built()).toEqual(['geth']);
    expect(entries.get('geth')).toEqual({
      state: 'Building',
      takes: takes.geth,
      since: toRfc3339(clock.nowMs()),
    });
    await last().end();
    expect(entries.get('geth')).toEqual(image('geth'));
    expect(built()).toEqual(['geth', 'prysm']);
    await last().end();
    await last().end();
    expect(built()).toEqual(['geth', 'prysm', 'solana']);
  });

  it('builds nothing that it cannot, and nothing that is there', async () => {
    entries.set('prysm', image('prysm'));
    await start();
    await want('lighthouse', 'prysm');
    expect(built()).toEqual([]);
  });

  it('ends a build that nobody wants any more, and offers it again', async () => {
    await start();
    await want('solana');
    const { signal } = last();
    await want();
    expect(signal.aborted).toBe(true);
    expect(entries.get('solana')).toEqual(buildable('solana'));
    await want('solana');
    expect(built()).toEqual(['solana', 'solana']);
  });

  it('goes on with a build while other things become wanted', async () => {
    await start();
    await want('solana');
    await want('solana', 'geth');
    expect([built(), last().signal.aborted]).toEqual([['solana'], false]);
  });

  describe('a build that fails', () => {
    beforeEach(async () => {
      await start();
      await want('geth');
      await last().fail('go.sum does not match\nmore lines');
    });

    it('says why, in one line', () => {
      expect(entries.get('geth')).toEqual({
        state: 'Failed',
        takes: takes.geth,
        since: toRfc3339(clock.nowMs()),
        reason: 'go.sum does not match',
      });
    });

    it('is tried again after a minute, then less and less often', async () => {
      const pauses: number[] = [];
      for (let minutes = 0; pauses.length < 4; minutes += 1) {
        await pass(60_000);
        if (builds.length < pauses.length + 2) continue;
        pauses.push(minutes + 1);
        await last().fail('again');
      }
      expect(pauses).toEqual([1, 3, 7, 15]);
    });

    it('is tried again a minute after it is wanted again', async () => {
      for (const pauseMs of [60_000, 120_000, 240_000]) {
        await pass(pauseMs);
        await last().fail('again');
      }
      expect(built()).toHaveLength(4);
      await pass(60_000);
      expect(built()).toHaveLength(4);
      wanted = new Map();
      await want('geth');
      expect(built()).toHaveLength(5);
    });

    it('keeps no other engine from being built', async () => {
      await want('geth', 'prysm');
      expect(built()).toEqual(['geth', 'prysm']);
    });

    it('is forgotten once it succeeds', async () => {
      await pass(60_000);
      await last().end();
      expect(entries.get('geth')).toEqual(image('geth'));
    });
  });

  describe('what was built from other sources', () => {
    beforeEach(async () => {
      entries.set('geth', image('geth', 'old'));
      await start();
    });

    it('is built again, and stays in use until then', async () => {
      expect(built()).toEqual(['geth']);
      expect(entries.get('geth')).toEqual(image('geth', 'old'));
      await last().end();
      expect(entries.get('geth')).toEqual(image('geth'));
      expect(published).not.toContain('geth Building');
    });

    it('stays in use when that fails', async () => {
      await last().fail('no space is left');
      expect(entries.get('geth')).toEqual(image('geth', 'old'));
      await pass(60_000);
      expect(built()).toEqual(['geth', 'geth']);
    });
  });

  it('what is wanted comes before what is outdated', async () => {
    entries.set('geth', image('geth', 'old'));
    wanted.set('solana', 0);
    await start();
    expect(built()).toEqual(['solana']);
  });

  it('removes what an earlier builder offered and this one cannot build', async () => {
    entries.set('chainlink', { state: 'Building', takes: 'x', since: toRfc3339(0) });
    entries.set('drand', image('drand'));
    await start();
    expect([...entries.keys()].sort()).toEqual(['drand', 'geth', 'prysm', 'solana']);
  });

  it('begins again what an earlier builder was building', async () => {
    entries.set('geth', { state: 'Building', takes: takes.geth, since: toRfc3339(0) });
    wanted.set('geth', 0);
    await start();
    expect(entries.get('geth')).toMatchObject({ state: 'Building', since: toRfc3339(clock.nowMs()) });
  });

  it('a cluster that does not answer is not a failure of a build', async () => {
    await start();
    await want('geth');
    isClusterAway = true;
    await last().end();
    isClusterAway = false;
    await pass(5_000);
    expect(published).not.toContain('geth Failed');
    expect(built()).toEqual(['geth', 'geth']);
    await last().end();
    expect(entries.get('geth')).toEqual(image('geth'));
  });

  it('offers again what somebody deleted', async () => {
    await start();
    entries.clear();
    await want();
    expect(entries.size).toBe(3);
  });

  it('ends its build when it ends itself', async () => {
    await start();
    await want('geth');
    stop.abort();
    await running;
    expect(last().signal.aborted).toBe(true);
  });
});
