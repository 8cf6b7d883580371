import type { NetworkResource } from '../../core/api/resources/network.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import { createManualClock, type ManualClock } from '../../core/lib/manualClock.ts';
import { createCache, createCacheReflector, type ObjectCache } from './cache.ts';
import { type CatchUp, createCatchUp, markNew } from './catchUp.ts';
import { createWriters, type Writers } from './writers.ts';

const namespace = 'ws';
let kube: FakeKube;
let clock: ManualClock;
let reflector: Reflector<NetworkResource>;
let cache: ObjectCache<NetworkResource>;
let catchUp: CatchUp;
/** Holds back every event of the watch until it resolves. */
let release: () => void;

const create = async (name: string) =>
  kube.create(networkType, await markNew(kube, aNetwork({ name, namespace })));
const names = () => cache.inNamespace(namespace).map(({ metadata }) => metadata.name);

beforeEach(async () => {
  kube = createFakeKube();
  clock = createManualClock();
  for (const name of ['a', 'b']) await create(name);
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const late: Pick<Kube, 'list' | 'watch'> = {
    list: kube.list,
    async *watch(type, options) {
      for await (const event of kube.watch(type, options)) {
        await held;
        yield event;
      }
    },
  };
  reflector = createCacheReflector({ kube: late, type: networkType, log: silentLog, clock: systemClock });
  cache = createCache(reflector);
  reflector.start();
  await reflector.whenSynced();
  catchUp = createCatchUp({ kube, cache, reflector, type: networkType, clock, log: silentLog });
});
afterEach(async () => {
  release();
  await reflector.stop();
});

/** Lets the waiting time elapse as soon as something waits for it. */
async function pass(work: Promise<void>): Promise<void> {
  let isDone = false;
  const done = work.then(() => {
    isDone = true;
  });
  while (!isDone) {
    await new Promise(setImmediate);
    clock.advance(100);
  }
  await done;
}

it('resolves immediately if nothing changed, whatever was written elsewhere in the cluster', async () => {
  await kube.create(networkType, aNetwork({ name: 'x', namespace: 'other' }));
  await catchUp(namespace);
  expect(names()).toEqual(['a', 'b']);
});

it('waits for the watch to report what another replica created and deleted', async () => {
  await create('c');
  await kube.delete(networkType, { namespace, name: 'a' });
  const caughtUp = catchUp(namespace);
  release();
  await caughtUp;
  expect(names()).toEqual(['b', 'c']);
});

it('reads live what a stalled watch does not report, even if the count is unchanged', async () => {
  await create('c');
  await kube.delete(networkType, { namespace, name: 'a' });
  await pass(catchUp(namespace));
  expect(names()).toEqual(['b', 'c']);
});

it('notices by the count objects created without the label by kubectl', async () => {
  await kube.create(networkType, aNetwork({ name: 'c', namespace }));
  await pass(catchUp(namespace));
  expect(names()).toEqual(['a', 'b', 'c']);
});

it('keeps the cache unchanged if kube-apiserver is unreachable', async () => {
  const broken = { ...kube, list: () => Promise.reject(new Error('down')) };
  await createCatchUp({ kube: broken, cache, reflector, type: networkType, clock, log: silentLog })(
    namespace,
  );
  expect(names()).toEqual(['a', 'b']);
});

it('keeps the cache unchanged if kube-apiserver hangs', async () => {
  const hanging = { ...kube, list: () => new Promise<never>(() => undefined) };
  const options = { kube: hanging, cache, reflector, type: networkType, clock, log: silentLog };
  await pass(createCatchUp(options)(namespace));
  expect(names()).toEqual(['a', 'b']);
});

describe('with announcements', () => {
  let requests: () => string[];
  let other: Writers;

  beforeEach(async () => {
    const shared = createFakeKube({ clock });
    const home = { namespace: 'slipway-system', clock, log: silentLog };
    kube = shared;
    const writers = createWriters({ ...home, kube: shared, replica: 'one' });
    other = createWriters({ ...home, kube: shared, replica: 'other' });
    for (const name of ['a', 'b']) await create(name);
    await reflector.stop();
    const frozen: Pick<Kube, 'list' | 'watch'> = {
      list: shared.list,
      async *watch(_type, { signal }) {
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      },
    };
    reflector = createCacheReflector({ kube: frozen, type: networkType, log: silentLog, clock: systemClock });
    cache = createCache(reflector);
    reflector.start();
    await reflector.whenSynced();
    catchUp = createCatchUp({ kube, cache, reflector, type: networkType, clock, log: silentLog, writers });
    await catchUp(namespace);
    const before = shared.requests.length;
    requests = () => shared.requests.slice(before).map(({ verb, kind }) => `${verb} ${kind}`);
  });

  it('asks only who writes while nobody else does', async () => {
    await catchUp(namespace);
    expect(requests()).toEqual(['get Lease']);
  });

  it('shows what another replica wrote, however far the watch is behind', async () => {
    await other.announce(namespace);
    await create('c');
    await kube.delete(networkType, { namespace, name: 'a' });
    await pass(catchUp(namespace));
    expect(names()).toEqual(['b', 'c']);
  });

  it('finds behind a list what others than replicas wrote while the watch stalled', async () => {
    await kube.create(networkType, aNetwork({ name: 'c', namespace }));
    clock.advance(11_000);
    await catchUp(namespace);
    expect(names()).toEqual(['a', 'b']);
    while (names().length < 3) await pass(catchUp(namespace));
    expect(names()).toEqual(['a', 'b', 'c']);
  });
});
