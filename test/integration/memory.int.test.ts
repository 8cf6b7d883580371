import { createCaches } from '../../apiserver/store/caches.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import { collectGarbage } from '../../core/lib/testing/garbage.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import { createOperatorCaches } from '../../operator/caches.ts';
import { type Family, manyOf, readFamily } from './testing/manyNetworks.ts';

interface Cache {
  start(): void;
  whenSynced(): Promise<void>;
  stop(): Promise<void>;
}

const kube = createTestKube();
let family: Family;
beforeAll(async () => {
  family = await readFamily(kube);
});
afterAll(() => kube.close());

function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

type CreateCaches = (kube: Kube) => Cache[];
const deps = (from: Kube) => ({
  kube: from,
  clock: systemClock,
  log: silentLog,
  kubeMetrics: { watchRestarts: () => undefined },
  engineMetrics: { setIs: () => undefined, invalidAre: () => undefined },
});

/** What the caches keep of `count` networks. */
async function bytesOf(create: CreateCaches, count: number): Promise<number> {
  const before = heapBytes();
  const caches = create(manyOf(family, count) as Kube);
  for (const cache of caches) cache.start();
  await Promise.all(caches.map((cache) => cache.whenSynced()));
  const used = heapBytes() - before;
  await Promise.all(caches.map((cache) => cache.stop()));
  return used;
}

const processes: [string, CreateCaches][] = [
  ['the API server', (from) => Object.values(createCaches(deps(from)))],
  ['the operator', (from) => [createOperatorCaches(deps(from) as never, 'slipway')]],
];

it.each(processes)('%s keeps at most 6 kB of a network, however many there are', async (_, create) => {
  await bytesOf(create, 100);
  const [few, many] = [await bytesOf(create, 500), await bytesOf(create, 2_000)];
  expect((many - few) / 1_500).toBeLessThan(6_000);
});
