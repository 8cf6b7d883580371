import { engineObjects } from '../api/names.ts';
import type { Kube } from '../kube/kube.ts';
import { createFakeKube, type FakeKube } from '../kube/testing/fake/fake.ts';
import { settle } from '../kube/testing/settle.ts';
import { configMapType, leaseType } from '../kube/types.ts';
import { toRfc3339 } from '../lib/clock.ts';
import { silentLog } from '../lib/log.ts';
import { createManualClock, type ManualClock } from '../lib/manualClock.ts';
import { createMetrics } from '../lib/metrics.ts';
import { createEngineWatch, type EngineWatch } from './engineWatch.ts';
import { createEngineMetrics, engineMetricTable } from './metrics.ts';

const namespace = 'slipway-system';
const dev = { 'evm-dev': { image: 'evm-dev:1' } };
const buildable = { state: 'Buildable', takes: 'about 2 minutes' };

describe('the engines of an installation, as they change', () => {
  let kube: FakeKube;
  let clock: ManualClock;
  let watch: EngineWatch;
  let metrics: ReturnType<typeof createMetrics>;
  let changes: number;
  let asked: unknown[];
  const ref = (name: string) => ({ namespace, name });

  const configMap = (name: string, entries: object) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace },
    data: textsOf(entries),
  });
  const textsOf = (entries: object) =>
    Object.fromEntries(
      Object.entries(entries).map(([name, entry]) => [
        name,
        typeof entry === 'object' ? JSON.stringify(entry) : entry,
      ]),
    );
  const have = (name: string, entries: object) => kube.create(configMapType, configMap(name, entries));
  const change = async (name: string, entries: object) => {
    await kube.patch(configMapType, ref(name), { data: textsOf(entries) });
    await settle();
  };
  const lease = (durationSeconds = 60) => ({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: ref(engineObjects.builder),
    spec: { holderIdentity: 'builder', leaseDurationSeconds: durationSeconds, renewTime: now() },
  });
  const now = () => toRfc3339(clock.nowMs());
  const renew = async () => {
    await kube.patch(leaseType, ref(engineObjects.builder), { spec: { renewTime: now() } });
    await settle();
  };
  async function start(): Promise<void> {
    watch.start();
    await settle();
  }
  const imageOf = (name: 'geth' | 'evm-dev') => watch.current().images[name]?.image;
  const scrape = async () => (await metrics.scrape()).text;

  beforeEach(() => {
    clock = createManualClock();
    kube = createFakeKube({ clock });
    metrics = createMetrics([engineMetricTable]);
    changes = 0;
    asked = [];
    const noted: Pick<Kube, 'list' | 'watch'> = {
      list(type, options) {
        asked.push(options);
        return kube.list(type, options);
      },
      watch(type, options) {
        asked.push(options);
        return kube.watch(type, options);
      },
    };
    watch = createEngineWatch({
      kube: noted,
      namespace,
      clock,
      log: silentLog,
      metrics: createEngineMetrics(metrics),
      kubeMetrics: { watchRestarts: () => undefined },
    });
    watch.onChange(() => {
      changes += 1;
    });
  });
  afterEach(() => watch.stop());

  it('are unknown until the object of the chart is there', async () => {
    await start();
    expect(watch.hasSynced()).toBe(false);
    await have(engineObjects.chart, { ...dev, geth: {} });
    await settle();
    expect(watch.hasSynced()).toBe(true);
    expect(imageOf('evm-dev')).toBe('evm-dev:1');
  });

  it('are read by name, so that a role needs to allow nothing else', async () => {
    await have(engineObjects.chart, dev);
    await have('another', { geth: { image: 'geth:1' } });
    await start();
    expect(asked).toHaveLength(6);
    for (const options of asked) {
      const fieldSelector = expect.stringMatching(/^metadata\.name=slipway-engine/);
      expect(options).toMatchObject({ namespace, fieldSelector });
    }
    expect(imageOf('geth')).toBeUndefined();
  });

  it('follow what becomes available, and what the chart says then', async () => {
    await have(engineObjects.chart, { ...dev, geth: { allowedImages: ['a/*'] } });
    await start();
    await have(engineObjects.available, { geth: { state: 'Available', image: 'built:1' } });
    await settle();
    expect(imageOf('geth')).toBe('built:1');
    await change(engineObjects.chart, { geth: { image: 'chart:1' } });
    expect(imageOf('geth')).toBe('chart:1');
    expect(changes).toBe(3);
  });

  it('stay the same for a change that means nothing', async () => {
    await have(engineObjects.chart, dev);
    await have(engineObjects.available, {});
    await start();
    await change(engineObjects.available, { later: { state: 'Unknown' } });
    expect(changes).toBe(1);
    expect(watch.problems()).toEqual([]);
  });

  it.each([
    ['not JSON', '{', /^.*geth: .*JSON/],
    ['not an entry', { image: '' }, /geth: image must not be empty$/],
  ])('keep the former entry in the place of one that is %s, and say so', async (_reason, wrong, message) => {
    await have(engineObjects.chart, { ...dev, geth: { image: 'geth:1' } });
    await start();
    const problems: string[] = [];
    watch.onProblem((problem) => problems.push(`${problem.object.metadata.name}: ${problem.message}`));
    await change(engineObjects.chart, { geth: wrong, 'evm-dev': { image: 'evm-dev:2' } });
    expect([imageOf('geth'), imageOf('evm-dev')]).toEqual(['geth:1', 'evm-dev:2']);
    expect(problems).toEqual([expect.stringMatching(message)]);
    expect(await scrape()).toContain(`slipway_engine_entries_invalid{object="${engineObjects.chart}"} 1`);
    await change(engineObjects.chart, { geth: { image: 'geth:2' } });
    expect(imageOf('geth')).toBe('geth:2');
    expect(watch.problems()).toEqual([]);
    expect(await scrape()).toContain(`slipway_engine_entries_invalid{object="${engineObjects.chart}"} 0`);
  });

  it('keep evm-dev, which every installation has', async () => {
    await have(engineObjects.chart, dev);
    await start();
    await change(engineObjects.chart, { 'evm-dev': {} });
    expect(imageOf('evm-dev')).toBe('evm-dev:1');
    expect(watch.problems().map(({ message }) => message)).toEqual([
      expect.stringContaining('evm-dev: an image is required'),
    ]);
  });

  it('stay while the object of the chart is gone, as after a rollback', async () => {
    await have(engineObjects.chart, dev);
    await start();
    await kube.delete(configMapType, ref(engineObjects.chart));
    await settle();
    expect(imageOf('evm-dev')).toBe('evm-dev:1');
  });

  it('are no longer available when their object is deleted', async () => {
    await have(engineObjects.chart, { ...dev, geth: {} });
    await have(engineObjects.available, { geth: { state: 'Available', image: 'built:1' } });
    await start();
    await kube.delete(configMapType, ref(engineObjects.available));
    await settle();
    expect(imageOf('geth')).toBeUndefined();
  });

  describe('that a builder offers', () => {
    const isOffered = () => watch.current().offers.geth !== undefined;
    beforeEach(async () => {
      await have(engineObjects.chart, { ...dev, geth: {} });
      await have(engineObjects.available, { geth: buildable });
    });

    it('are offered while its Lease is renewed', async () => {
      await kube.create(leaseType, lease());
      await start();
      for (let renewals = 0; renewals < 20; renewals += 1) {
        clock.advance(15_000);
        await renew();
        expect(isOffered()).toBe(true);
      }
    });

    it('are not offered without one, and say so once', async () => {
      await start();
      expect(isOffered()).toBe(false);
      await kube.create(leaseType, lease());
      await settle();
      expect(isOffered()).toBe(true);
      clock.advance(70_000);
      expect(isOffered()).toBe(true);
      clock.advance(15_000);
      expect([isOffered(), changes]).toEqual([false, 3]);
    });

    it('are not offered by one that was gone before this process began', async () => {
      await kube.create(leaseType, lease());
      clock.advance(3_600_000);
      await start();
      expect(isOffered()).toBe(false);
      await renew();
      expect(isOffered()).toBe(true);
    });

    it('stay offered while one builder replaces another', async () => {
      await kube.create(leaseType, lease());
      await start();
      await kube.patch(leaseType, ref(engineObjects.builder), {
        spec: { holderIdentity: null, leaseDurationSeconds: 1 },
      });
      await settle();
      clock.advance(10_000);
      await kube.patch(leaseType, ref(engineObjects.builder), {
        spec: { holderIdentity: 'next', leaseDurationSeconds: 60 },
      });
      await settle();
      clock.advance(60_000);
      expect([isOffered(), changes]).toEqual([true, 1]);
    });

    it('are counted by their state', async () => {
      await kube.create(leaseType, lease());
      await start();
      const text = await scrape();
      expect(text).toContain('slipway_engines{state="available"} 1');
      expect(text).toContain('slipway_engines{state="buildable"} 1');
      expect(text).toContain('slipway_engines{state="missing"} 0');
    });
  });
});
