import { networkType } from '../../core/api/resources/resources.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import { toUnreachable } from '../../core/kube/client/apiError.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { silentLog } from '../../core/lib/log.ts';
import { createManualClock, type ManualClock } from '../../core/lib/manualClock.ts';
import { advanceUntilSettled } from '../../core/lib/testing/advanceUntilSettled.ts';
import { createCacheReflector } from './cache.ts';
import { createCatchUpIn } from './catchUpIn.ts';
import { createPresence } from './question.ts';

/** What is in a namespace, where each page of its list takes its time. */

const namespace = 'ws';
let cluster: FakeKube;
let clock: ManualClock;
let reflector: Reflector<never>;
let pages: number;
let list: Kube['list'];
let catchUp: (namespace: string) => Promise<void>;
beforeEach(async () => {
  cluster = createFakeKube();
  clock = createManualClock();
  pages = 0;
  list = cluster.list;
  const cache = createCacheReflector({ kube: cluster, type: networkType, log: silentLog, clock });
  reflector = cache as unknown as Reflector<never>;
  cache.start();
  await cache.whenSynced();
  const kube = {
    list: (async (...args: Parameters<Kube['list']>) => {
      pages += 1;
      return list(...args);
    }) as Kube['list'],
  };
  catchUp = createCatchUpIn(cache, { kube, clock, log: silentLog, presence: createPresence() });
});
afterEach(() => reflector.stop());

const pass = (work: Promise<unknown>) => advanceUntilSettled(clock, work);

/** Endless pages, each a second after it was asked for. */
const endless: Kube['list'] = async (type, options) => {
  await clock.sleep(1000);
  return { ...(await cluster.list(type, options)), continueToken: 'more' };
};

it('a list that takes too long is 503, is not read on, and says nothing of what is there', async () => {
  list = endless;
  const caughtUp = catchUp(namespace);
  await pass(caughtUp);
  await expect(caughtUp).rejects.toMatchObject({ reason: 'Unavailable', retryAfterSeconds: 1 });
  const before = pages;
  for (let second = 0; second < 5; second += 1) {
    clock.advance(1000);
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
  }
  expect(pages).toBe(before);
});

it('who comes while a list is under way shares the next one, and no two of them overlap', async () => {
  let running = 0;
  let most = 0;
  list = async (type, options) => {
    running += 1;
    most = Math.max(most, running);
    await clock.sleep(100);
    running -= 1;
    return cluster.list(type, options);
  };
  const first = catchUp(namespace);
  await new Promise(setImmediate);
  const others = Array.from({ length: 20 }, () => catchUp(namespace));
  await pass(Promise.all([first, ...others]));
  expect([pages, most]).toEqual([2, 1]);
});

it('is answered from the cache while kube-apiserver is away, as long as that is recent', async () => {
  list = () => Promise.reject(toUnreachable(new Error('connect ECONNREFUSED')));
  const recent = catchUp(namespace);
  await pass(recent);
  await expect(recent).resolves.toBeUndefined();
  clock.advance(200_000);
  const old = catchUp(namespace);
  await pass(old);
  await expect(old).rejects.toMatchObject({ reason: 'Unavailable' });
});

it('waits until the watch has reported the newest', async () => {
  await cluster.create(networkType, aNetwork({ namespace, name: 'a' }));
  await catchUp(namespace);
  expect(reflector.list()).toHaveLength(1);
});
