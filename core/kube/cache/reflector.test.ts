import { asStored } from '../../api/testing/stored.ts';
import { AppError } from '../../lib/errors.ts';
import { silentLog } from '../../lib/log.ts';
import { createManualClock } from '../../lib/manualClock.ts';
import { createFakeKube, type FakeKube } from '../testing/fake/fake.ts';
import { settle } from '../testing/settle.ts';
import { type ConfigMap, configMapType } from '../types.ts';
import { keepAll } from './keep.ts';
import {
  type Change,
  createReflector,
  type Reflector,
  type ReflectorOptions,
  type WatchTap,
} from './reflector.ts';

const map = (name: string, extra: Partial<ConfigMap['metadata']> = {}): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'n', ...extra },
  data: {},
});

describe('a reflector', () => {
  let kube: FakeKube;
  let clock: ReturnType<typeof createManualClock>;
  let reflector: Reflector<ConfigMap>;
  beforeEach(() => {
    clock = createManualClock();
    kube = createFakeKube({ clock });
  });
  afterEach(() => reflector.stop());

  async function begin(options: Partial<ReflectorOptions<ConfigMap>> = {}): Promise<Change<ConfigMap>[]> {
    reflector = createReflector({
      kube,
      type: configMapType,
      clock,
      log: silentLog,
      random: () => 0,
      ...options,
    });
    const changes: Change<ConfigMap>[] = [];
    reflector.onChange((change) => void changes.push(change));
    reflector.start();
    await settle();
    return changes;
  }

  const named = (name: string) => reflector.get({ namespace: 'n', name });

  it('shows a tap the objects that it keeps itself, also those that its process wrote', async () => {
    kube.seed(configMapType, map('listed'));
    const shown = new Map<string, object>();
    const tap: WatchTap<ConfigMap> = {
      listed: (items) => items.forEach((item) => void shown.set(item.metadata.name, item)),
      changed: (_type, _object, kept) => void shown.set(kept.metadata.name, kept),
      reached: () => undefined,
    };
    await begin({ tap, trim: keepAll });
    kube.endWatches();
    reflector.observe(await kube.create(configMapType, map('written')));
    await kube.create(configMapType, map('seen'));
    clock.advance(60_000);
    await settle();
    for (const name of ['listed', 'written', 'seen']) expect(shown.get(name)).toBe(named(name));
  });

  it('reads all pages of a list and then follows changes', async () => {
    for (let count = 0; count < 7; count += 1) kube.seed(configMapType, map(`m${count}`));
    const changes = await begin({ pageSize: 3 });
    expect(reflector.hasSynced()).toBe(true);
    expect(kube.requests.map(({ verb }) => verb)).toEqual(['list', 'list', 'list', 'watch']);
    await kube.create(configMapType, map('later'));
    await kube.delete(configMapType, { namespace: 'n', name: 'm0' });
    await settle();
    expect(reflector.list()).toHaveLength(7);
    expect(changes.slice(7).map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual([
      'set later',
      'deleted m0',
    ]);
  });

  it('keeps only the object that it names', async () => {
    for (const name of ['one', 'other']) kube.seed(configMapType, map(name));
    await begin({ namespace: 'n', name: 'one' });
    await kube.create(configMapType, map('third'));
    await kube.patch(configMapType, { namespace: 'n', name: 'one' }, { data: { a: 'b' } });
    reflector.observe(await kube.patch(configMapType, { namespace: 'n', name: 'other' }, { data: {} }));
    await settle();
    expect(reflector.list().map(({ metadata, data }) => [metadata.name, data])).toEqual([
      ['one', { a: 'b' }],
    ]);
  });

  it('reads everything at once when the continue token has expired', async () => {
    for (let count = 0; count < 7; count += 1) kube.seed(configMapType, map(`m${count}`));
    let isFirst = true;
    kube.intercept(({ verb }) => {
      if (verb !== 'list') return;
      if (!isFirst) kube.compact();
      isFirst = false;
    });
    await begin({ pageSize: 3 });
    expect(reflector.list()).toHaveLength(7);
  });

  it('reads pages again when a continue token has expired, so that a long list is not in memory at once', async () => {
    for (let count = 0; count < 7; count += 1) kube.seed(configMapType, map(`m${count}`));
    const limits: (number | undefined)[] = [];
    const list: FakeKube['list'] = (type, options) => {
      limits.push(options?.limit);
      if (limits.length === 2) kube.compact();
      return kube.list(type, options);
    };
    await begin({ kube: { ...kube, list }, pageSize: 3 });
    expect(reflector.list()).toHaveLength(7);
    expect(limits).toEqual([3, 3, 3, 3, 3]);
  });

  it('watches only its namespace and labels, and observes only those', async () => {
    await begin({ namespace: 'n', labelSelector: 'app=x' });
    kube.seed(configMapType, map('mine', { labels: { app: 'x' } }));
    kube.seed(configMapType, map('other-app', { labels: { app: 'y' } }));
    kube.seed(configMapType, map('other-namespace', { namespace: 'm', labels: { app: 'x' } }));
    reflector.observe(asStored(map('observed', { labels: { app: 'x' }, resourceVersion: '5000' })));
    reflector.observe(
      asStored(map('foreign', { namespace: 'm', labels: { app: 'x' }, resourceVersion: '5001' })),
    );
    reflector.observe(asStored(map('unlabelled', { resourceVersion: '5002' })));
    await settle();
    expect(
      reflector
        .list()
        .map(({ metadata }) => metadata.name)
        .toSorted(),
    ).toEqual(['mine', 'observed']);
  });

  it('reads its own writes immediately', async () => {
    await begin();
    const made = await kube.create(configMapType, map('own'));
    reflector.observe(made);
    expect(named('own')).toEqual(made);
  });

  it('lists again when its version is too old, and reports what was deleted meanwhile', async () => {
    kube.seed(configMapType, map('stays'));
    kube.seed(configMapType, map('goes'));
    const changes = await begin();
    kube.endWatches();
    await settle();
    await kube.delete(configMapType, { namespace: 'n', name: 'goes' });
    kube.compact();
    clock.advance(1_000);
    await settle();
    clock.advance(1_000);
    await settle();
    expect(changes.at(-1)).toMatchObject({ type: 'deleted', object: { metadata: { name: 'goes' } } });
    expect(reflector.list()).toHaveLength(1);
  });

  it('restarts a silent watch', async () => {
    const restarts: string[] = [];
    await begin({
      idleTimeoutMs: 60_000,
      kubeMetrics: { watchRestarts: (_kind, reason) => void restarts.push(reason) },
    });
    clock.advance(59_000);
    kube.bookmark();
    await settle();
    clock.advance(59_000);
    await settle();
    expect(restarts).toEqual([]);
    clock.advance(1_000);
    await settle();
    expect(restarts).toEqual(['idle']);
    clock.advance(0);
    await settle();
    expect(kube.watchCount()).toBe(1);
  });

  it('waits longer after each failure, honours retry-after, and waits at most half a minute', async () => {
    const outage = new AppError('Unavailable', 'outage');
    const busy = new AppError('TooManyRequests', 'busy', { retryAfterSeconds: 20 });
    kube.failNext({ verb: 'list', error: outage, times: 3 });
    kube.failNext({ verb: 'list', error: busy });
    const waits: number[] = [];
    const log = {
      ...silentLog,
      warn: (_message: string, fields?: { waitMs?: unknown }) => void waits.push(Number(fields?.waitMs)),
    };
    await begin({ log });
    while (!reflector.hasSynced()) {
      clock.advance(waits.at(-1) ?? 0);
      await settle();
    }
    expect(waits).toEqual([250, 500, 1_000, 20_000]);
  });

  it('continues when a listener throws, and calls the others', async () => {
    await begin();
    const seen: string[] = [];
    reflector.onChange(() => {
      throw new Error('broken');
    });
    const stop = reflector.onChange(({ object }) => void seen.push(object.metadata.name));
    kube.seed(configMapType, map('a'));
    await settle();
    stop();
    kube.seed(configMapType, map('b'));
    await settle();
    expect(seen).toEqual(['a']);
    expect(reflector.list()).toHaveLength(2);
  });

  describe('waitFor', () => {
    it('finds an object that already exists', async () => {
      kube.seed(configMapType, map('a'));
      await begin();
      const found = await reflector.waitFor(({ metadata }) => metadata.name === 'a', { timeoutMs: 1 });
      expect(found?.metadata.name).toBe('a');
    });

    it('finds an object that is created later', async () => {
      await begin();
      const waiting = reflector.waitFor(({ metadata }) => metadata.name === 'a', { timeoutMs: 1_000 });
      kube.seed(configMapType, map('a'));
      expect((await waiting)?.metadata.name).toBe('a');
    });

    it('is undefined after the timeout or an abort', async () => {
      await begin();
      const controller = new AbortController();
      const never = () => false;
      const timed = reflector.waitFor(never, { timeoutMs: 1_000 });
      const aborted = reflector.waitFor(never, { timeoutMs: 9_000, signal: controller.signal });
      clock.advance(1_000);
      controller.abort();
      expect([await timed, await aborted]).toEqual([undefined, undefined]);
    });
  });

  it('knows when it was last current', async () => {
    await begin();
    const startMs = clock.nowMs();
    expect(reflector.lastSyncMs()).toBe(startMs);
    clock.advance(5_000);
    expect(reflector.lastSyncMs()).toBe(startMs);
    kube.bookmark();
    await settle();
    expect(reflector.lastSyncMs()).toBe(startMs + 5_000);
  });

  describe('that is asked to list again', () => {
    const lists = () => kube.requests.filter(({ verb }) => verb === 'list').length;

    it('does not list once more for who asks while a list is under way', async () => {
      await begin();
      const held = Promise.withResolvers<void>();
      const remove = kube.intercept(({ verb }) => (verb === 'list' ? held.promise : undefined));
      reflector.refresh();
      await settle();
      for (let reader = 0; reader < 5; reader += 1) reflector.refresh();
      remove();
      held.resolve();
      await settle();
      expect(lists()).toBe(2);
      expect(reflector.lists()).toEqual({ begun: 2, complete: 2 });
      expect(kube.watchCount()).toBe(1);
    });

    it('keeps the back-off of a list that failed', async () => {
      kube.failNext({ verb: 'list', error: new AppError('Unavailable', 'outage') });
      await begin();
      reflector.refresh();
      await settle();
      expect(lists()).toBe(1);
      expect(reflector.lists()).toEqual({ begun: 1, complete: 0 });
      clock.advance(250);
      await settle();
      expect(reflector.lists()).toEqual({ begun: 2, complete: 2 });
    });

    it('does not wait for the back-off of a watch, but for what kube-apiserver asked for', async () => {
      await begin();
      const watches = { verb: 'watch', times: 4 } as const;
      kube.failNext({ ...watches, error: new AppError('Unavailable', 'busy', { retryAfterSeconds: 1 }) });
      kube.endWatches();
      await settle();
      for (let failure = 1; failure < 4; failure += 1) {
        clock.advance(1_000 * failure);
        await settle();
      }
      const before = lists();
      reflector.refresh();
      await settle();
      expect(lists()).toBe(before);
      clock.advance(1_000);
      await settle();
      expect(lists()).toBe(before + 1);
    });
  });

  it('stops in the middle of a list, and rejects those who wait for it', async () => {
    const held = Promise.withResolvers<void>();
    kube.intercept(() => held.promise);
    await begin();
    const waiting = expect(reflector.whenSynced()).rejects.toMatchObject({ reason: 'Unavailable' });
    const stopped = reflector.stop();
    held.resolve();
    await stopped;
    await waiting;
    expect(kube.requests.map(({ verb }) => verb)).toEqual(['list']);
  });

  it('tells nobody what a list or a watch still brings once it is stopped', async () => {
    kube.seed(configMapType, map('listed'));
    const held = Promise.withResolvers<void>();
    kube.intercept(() => held.promise);
    const told: string[] = [];
    const tap: WatchTap<ConfigMap> = {
      listed: (items) => told.push(...items.map(({ metadata }) => metadata.name)),
      changed: (_type, { metadata }) => told.push(metadata.name),
      reached: (version) => told.push(version),
    };
    const changes = await begin({ tap });
    const stopped = reflector.stop();
    held.resolve();
    await stopped;
    expect([told, changes, reflector.list(), reflector.seenVersion()]).toEqual([[], [], [], 0n]);
  });
});
