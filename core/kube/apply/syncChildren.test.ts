import { compact } from '../../lib/compact.ts';
import { AppError } from '../../lib/errors.ts';
import type { KubeObject, ResourceType, Stored } from '../kube.ts';
import { ownedBy } from '../ownedBy.ts';
import { createFakeKube, type FakeKube } from '../testing/fake/fake.ts';
import { type ConfigMap, configMapType, type Pod, podType, type Service, serviceType } from '../types.ts';
import { type ChildrenPlan, syncChildren } from './syncChildren.ts';

/** A child names no namespace; it is given its owner's. */
type Child<T extends KubeObject> = Omit<T, 'metadata'> & KubeObject;

const labels = { 'slipway.dev/network': 'uid-1' };
const owner = { apiVersion: 'slipway.dev/v1alpha1', kind: 'Network', name: 'x', uid: 'uid-1' };
const isOurs = ownedBy({ metadata: { uid: 'uid-1', namespace: 'n' } });
const configMap = (name: string, data: Record<string, string> = {}): Child<ConfigMap> => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});
const pod = (name: string, image = 'a', nodeName?: string): Child<Pod> => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
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
      isOurs,
      ownerReferences: [owner],
      fieldManager: 'test',
      ...plan,
      desired,
      observed,
    });
    const { created, updated, deleted, pending, refused } = result;
    return {
      created: names(created),
      updated: names(updated),
      deleted: names(deleted),
      pending: names(pending),
      ...(refused.length > 0 ? { refused } : {}),
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
          kube.patch(configMapType, metadata, {
            metadata: { ownerReferences: [{ ...owner, uid: 'uid-2' }] },
          }),
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

  it('refuses children of an unknown kind', async () => {
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' } };
    await expect(sync([node])).rejects.toMatchObject({ reason: 'Internal' });
  });

  describe("an object of somebody else that has the owner's labels", () => {
    const foreign = (object: KubeObject) => ({
      ...object,
      metadata: { ...object.metadata, namespace: 'n', labels },
    });

    it.each<[string, KubeObject]>([
      ['a ConfigMap', configMap('a', { key: 'theirs' })],
      ['a pod', pod('a', 'theirs')],
    ])('is neither changed nor deleted, and the desired one is refused: %s', async (_reason, object) => {
      const type: ResourceType<KubeObject> = object.kind === 'Pod' ? podType : configMapType;
      const made = await kube.create(type, foreign(object));
      expect(await sync([])).toEqual(nothing);
      const wanted = object.kind === 'Pod' ? pod('a', 'ours') : configMap('a', { key: 'ours' });
      const message = expect.stringMatching(
        new RegExp(`^${object.kind} a in namespace n already exists .*: delete or rename it$`),
      );
      const { refused } = await sync([wanted, configMap('b')], { observed: [] });
      expect(refused).toEqual([{ reason: 'NameTaken', message }]);
      expect(await kube.get(type, made.metadata)).toEqual(made);
      expect(await kube.get(configMapType, { namespace: 'n', name: 'b' })).toBeDefined();
    });

    it('that the cluster refuses as invalid does not keep the others from being created', async () => {
      kube.intercept(({ verb, kind, name }) => {
        if (verb === 'create' && kind === 'Pod' && name === 'a')
          throw new AppError('BadRequest', 'no such field');
      });
      const { refused } = await sync([pod('a', 'ours'), configMap('b')], { observed: [] });
      expect(refused).toEqual([
        { reason: 'ChildInvalid', message: 'the cluster refuses Pod a: no such field' },
      ]);
      expect(await kube.get(configMapType, { namespace: 'n', name: 'b' })).toBeDefined();
    });

    it("is taken over when the names are the owner's to give", async () => {
      await kube.create(configMapType, foreign(configMap('a', { key: 'theirs' })) as ConfigMap);
      await sync([configMap('a', { key: 'ours' })], { observed: [], isTakingOver: true });
      const live = await kube.get(configMapType, { namespace: 'n', name: 'a' });
      expect(live).toMatchObject({ data: { key: 'ours' }, metadata: { ownerReferences: [owner] } });
    });
  });

  describe('a Service', () => {
    const service = (targetPort: number, address: { clusterIP?: string } = {}): Child<Service> => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: { ...address, selector: { app: 'a' }, ports: [{ name: 'rpc', port: 80, targetPort }] },
    });
    const present = async () => (await kube.list(serviceType, { namespace: 'n' })).items;
    const verbs = () => kube.requests.splice(0).map(({ verb }) => verb);

    it('is created without a read, and changed by one patch that replaces its ports', async () => {
      await sync([service(1)], { observed: [] });
      expect(verbs()).toEqual(['create']);
      const observed = await present();
      kube.requests.length = 0;
      await sync([service(2)], { observed });
      expect(verbs()).toEqual(['patch']);
      expect((await present())[0]?.spec.ports).toEqual([{ name: 'rpc', port: 80, targetPort: 2 }]);
    });

    it('that has an address keeps it when a new one would have none', async () => {
      await sync([service(1)], { observed: [] });
      const [before] = await present();
      const headless = service(2, { clusterIP: 'None' });
      await sync([headless], { observed: await present() });
      const [after] = await present();
      expect(after?.spec).toMatchObject({ clusterIP: before?.spec.clusterIP, ports: [{ targetPort: 2 }] });
      const observed = await present();
      kube.requests.length = 0;
      await sync([headless], { observed });
      expect(verbs()).toEqual([]);
    });

    it('of somebody else is left as it is, also when it took the place of the observed one', async () => {
      await sync([service(1)], { observed: [] });
      const [observed] = await present();
      if (!observed) throw new Error('there is a Service');
      await kube.delete(serviceType, observed.metadata);
      const { metadata: _, ...foreign } = service(7);
      await kube.create(serviceType, { ...foreign, metadata: { name: 's', namespace: 'n' } });
      expect((await sync([service(2)], { observed: [] })).refused?.[0]?.reason).toBe('NameTaken');
      await expect(sync([service(2)], { observed: [observed] })).rejects.toMatchObject({
        reason: 'Conflict',
      });
      expect((await present())[0]?.spec.ports?.[0]?.targetPort).toBe(7);
    });
  });

  it.each([
    [
      'a quota',
      'pods "p" is forbidden: exceeded quota: slipway, requested: pods=1, used: pods=3, limited: pods=3',
    ],
    ['a limit range', 'pods "p" is forbidden: maximum memory usage per Container is 1Gi, but limit is 2Gi'],
  ])('reports a child that does not fit in %s', async (_reason, message) => {
    kube.failNext({ verb: 'create', name: 'p', error: new AppError('Forbidden', message) });
    const { refused, created } = await sync([pod('p'), configMap('a')]);
    const cause = message.split('forbidden: ')[1] ?? '';
    expect(refused).toEqual([{ reason: 'QuotaExceeded', message: expect.stringContaining(cause) }]);
    expect(created).toEqual(['a']);
  });

  it('still fails when the owner has no rights', async () => {
    const error = new AppError('Forbidden', 'pods is forbidden: User "x" cannot create resource "pods"');
    kube.failNext({ verb: 'create', name: 'p', error });
    await expect(sync([pod('p')])).rejects.toBe(error);
  });
});
