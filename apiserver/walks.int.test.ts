import { networkType } from '../core/api/resources/resources.ts';
import { aNetwork } from '../core/api/testing/builders.ts';
import { compact } from '../core/lib/compact.ts';
import { createTestKube } from '../hack/testenv/testKube.ts';
import { eventually } from './testing/eventually.ts';
import type { TestApi } from './testing/harness.ts';
import { startReplicas } from './testing/replicas.ts';

const kube = createTestKube();
const count = 230;
let api: TestApi;
let replica: TestApi;
let two: string;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ api, replica, two, stop } = await startReplicas(kube));
  const chainOf = (i: number) => (i % 3 === 0 ? ({ type: 'Base', base: {} } as const) : undefined);
  await Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const chain = chainOf(i);
      const network = aNetwork({ name: `n-${i}`, namespace: two, ...compact({ spec: chain && { chain } }) });
      await kube.create(networkType, network);
      if (i % 4 === 0) {
        await kube.patch(networkType, network.metadata, { status: { state: 'Operational' } }, 'status');
      }
    }),
  );
  await hasCaughtUp();
});
afterAll(async () => {
  await stop();
  await kube.close();
});

async function hasCaughtUp(): Promise<void> {
  const wanted = Math.ceil(count / 4);
  const query = `limit=500&selector=${encodeURIComponent('status.state == Operational')}`;
  for (const by of [api, replica]) {
    const list = () => by.request(`/v1alpha/networks?${query}`, { as: 'ben' });
    await eventually(list, ({ json }) => json.items.length === wanted);
  }
}

async function walk(query: string): Promise<{ names: string[]; sizes: number[] }> {
  const names: string[] = [];
  const sizes: number[] = [];
  let cursor = '';
  do {
    // Each page may come from another replica.
    const by = sizes.length % 2 ? replica : api;
    const { json } = await by.request(`/network/v1alpha/networks?${query}${cursor}`, { as: 'ben' });
    names.push(...json.items.map(({ name }: { name: string }) => name));
    sizes.push(json.items.length);
    cursor = json.metadata.cursor ? `&cursor=${encodeURIComponent(json.metadata.cursor)}` : '';
  } while (cursor);
  return { names, sizes };
}

it('paging over both replicas returns each object of the cluster once', async () => {
  const raw = await kube.list(networkType, { namespace: two });
  const { names, sizes } = await walk('limit=100');
  expect(sizes).toEqual([100, 100, 30]);
  expect(names).toEqual(raw.items.map(({ metadata }) => metadata.name).sort());
});

it.each<[string, (i: number) => boolean]>([
  ['status.state == Operational', (i) => i % 4 === 0],
  ["spec.chain.type != 'Base'", (i) => i % 3 !== 0],
  ['status.state IN (Pending, Error) && spec.chain.type == Base', (i) => i % 4 !== 0 && i % 3 === 0],
])('selector %s', async (selector, isWanted) => {
  const wanted = Array.from({ length: count }, (_, i) => i).filter(isWanted);
  const { names } = await walk(`limit=20&selector=${encodeURIComponent(selector)}`);
  expect(names).toEqual(wanted.map((i) => `n-${i}`).sort());
});
