import { compact } from '../../lib/compact.ts';
import type { KubeObject, Stored } from '../kube.ts';
import { createFakeKube, type FakeKube } from '../testing/fake/fake.ts';
import { type ConfigMap, configMapType, type Pod, podType } from '../types.ts';
import { type ChildrenPlan, syncChildren } from './syncChildren.ts';

/** A child names no namespace; it is given its owner's. */
type Child<T extends KubeObject> = Omit<T, 'metadata'> & KubeObject;

const labels = { 'slipway.dev/network': 'uid-1' };
const configMap = (name: string, data: Record<string, string> = {}): Child<ConfigMap> => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } },
  data,
});
const pod = (name: string, image = 'a', nodeName?: string): Child<Pod> => ({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name } },
  spec: { containers: [{ name: 'main', image }], ...compact({ nodeName }) },
});
const names = (objects: KubeObject[]) => objects.map(({ metadata }) => metadata.name);

describe('syncChildren', () => {
  let kube: FakeKube;
  beforeEach(() => {
    kube = createFakeKube();
  });

  async function observe(): Promise<Stored<KubeObject>[]> {
    const options = { namespace: 'n', labelSelector: 'slipway.dev/network=uid-1' };
    const [maps, pods] = await Promise.all([kube.list(configMapType, options), kube.list(podType, options)]);
    kube.requests.length = 0;
    return [...maps.items, ...pods.items];
  }

  async function sync(desired: KubeObject[], plan: Partial<ChildrenPlan> = {}) {
    const observed = plan.observed ?? (await observe());
    const result = await syncChildren(kube, {
      namespace: 'n',
      labels,
      fieldManager: 'test',
      ...plan,
      desired,
      observed,
    });
    const { created, updated, deleted, pending } = result;
    return {
      created: names(created),
      updated: names(updated),
      deleted: names(deleted),
      pending: names(pending),
    };
  }

  const nothing = { created: [], updated: [], deleted: [], pending: [] };

  it('creates what is missing, with the labels and references of the owner', async () => {
    const ownerReferences = [
      { apiVersion: 'slipway.dev/v1alpha1', kind: 'Network', name: 'x', uid: 'uid-1' },
    ];
    const result = await sync([configMap('a'), pod('p')], { ownerReferences });
    expect(result).toEqual({ ...nothing, created: ['a', 'p'] });
    const made = await kube.get(configMapType, { namespace: 'n', name: 'a' });
    expect(made?.metadata).toMatchObject({ labels, ownerReferences });
  });

  it('sends nothing for unchanged children', async () => {
    await sync([configMap('a'), pod('p')]);
    expect(await sync([configMap('a'), pod('p')])).toEqual(nothing);
    expect(kube.requests).toEqual([]);
  });

  it('creates immutable children, and adopts one that the cache does not have yet', async () => {
    await sync([pod('p')]);
    expect(kube.requests.map(({ verb }) => verb)).toEqual(['create']);
    expect(await sync([pod('p')], { observed: [] })).toEqual({ ...nothing, created: ['p'] });
    expect((await observe()).map(({ metadata }) => metadata.name)).toEqual(['p']);
  });

  it('applies what differs', async () => {
    await sync([configMap('a', { key: '1', old: 'x' }), configMap('b')]);
    expect(await sync([configMap('a', { key: '2' }), configMap('b')])).toEqual({
      ...nothing,
      updated: ['a'],
    });
    expect(kube.requests).toHaveLength(1);
    expect((await kube.get(configMapType, { namespace: 'n', name: 'a' }))?.data).toEqual({ key: '2' });
  });

  it('deletes what is no longer desired', async () => {
    await sync([configMap('a'), configMap('b'), pod('p')]);
    expect(await sync([configMap('a')])).toEqual({ ...nothing, deleted: ['b', 'p'] });
    expect(await sync([configMap('a')])).toEqual(nothing);
  });

  it('reports a terminating pod, desired or not, and creates it again when it is gone', async () => {
    await sync([pod('p', 'a', 'node')]);
    expect(await sync([])).toEqual({ ...nothing, deleted: ['p'] });
    expect(await sync([])).toEqual({ ...nothing, pending: ['p'] });
    expect(await sync([pod('p', 'a', 'node')])).toEqual({ ...nothing, pending: ['p'] });
    await kube.delete(podType, { namespace: 'n', name: 'p' }, { gracePeriodSeconds: 0 });
    expect(await sync([pod('p', 'a', 'node')])).toEqual({ ...nothing, created: ['p'] });
  });

  it('reports a terminating pod even if the cache does not show it yet', async () => {
    await sync([pod('p', 'a', 'node')]);
    await kube.delete(podType, { namespace: 'n', name: 'p' });
    expect(await sync([pod('p', 'a', 'node')], { observed: [] })).toEqual({ ...nothing, pending: ['p'] });
  });

  it.each<[string, KubeObject, KubeObject]>([
    ['a pod', pod('x', 'a'), pod('x', 'b')],
    [
      'an immutable ConfigMap',
      { ...configMap('x', { a: '1' }), immutable: true } as KubeObject,
      configMap('x', { a: '2' }),
    ],
  ])('replaces %s that differs in two calls', async (_reason, former, next) => {
    await sync([former]);
    expect(await sync([next])).toEqual({ ...nothing, pending: ['x'] });
    expect(await sync([next])).toEqual({ ...nothing, created: ['x'] });
  });

  describe('deletes nothing because of a stale cache when', () => {
    const stale: [string, (observed: KubeObject) => Promise<unknown>][] = [
      [
        'it was replaced by an object of the same name',
        async ({ metadata }) => {
          await kube.delete(configMapType, metadata);
          await kube.create(configMapType, {
            ...configMap('a'),
            metadata: { name: 'a', namespace: 'n', labels },
          });
        },
      ],
      [
        'it has another owner now',
        ({ metadata }) =>
          kube.patch(configMapType, metadata, { metadata: { labels: { 'slipway.dev/network': 'uid-2' } } }),
      ],
      [
        'it is replaced between the read and the delete',
        async ({ metadata }) => {
          const stop = kube.intercept(async ({ verb }) => {
            if (verb !== 'delete') return;
            stop();
            await kube.delete(configMapType, metadata);
            await kube.create(configMapType, {
              ...configMap('a'),
              metadata: { name: 'a', namespace: 'n', labels },
            });
          });
        },
      ],
    ];
    it.each(stale)('%s', async (_reason, change) => {
      await sync([configMap('a')]);
      const observed = await observe();
      for (const object of observed) await change(object);
      expect(await sync([], { observed })).toEqual(nothing);
      expect(await kube.get(configMapType, { namespace: 'n', name: 'a' })).toBeDefined();
    });
  });

  it('tries all children before it throws the first failure', async () => {
    const error = new Error('refused');
    await sync([configMap('old')]);
    kube.failNext({ verb: 'apply', name: 'a', error });
    await expect(sync([configMap('a'), configMap('b')])).rejects.toBe(error);
    expect(names(await observe())).toEqual(['b']);
  });

  it.each<[string, Partial<ChildrenPlan>, KubeObject]>([
    ['without labels', { labels: {} }, configMap('a')],
    ['of an unknown kind', {}, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' } }],
  ])('refuses children %s', async (_reason, plan, object) => {
    await expect(sync([object], plan)).rejects.toMatchObject({ reason: 'Internal' });
  });
});
