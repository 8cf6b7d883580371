import { AppError } from '../../../lib/errors.ts';
import { configMapType, coreSecretType, namespaceType, podType } from '../../types.ts';
import { widgetType } from '../conformance/subject.ts';
import { describeKubeConformance } from '../conformance.ts';
import { createFakeKube } from './fake.ts';

describeKubeConformance('the fake', async () => {
  const kube = createFakeKube({ requiresNamespaces: true });
  const namespace = 'conformance';
  await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  return { kube, namespace, close: async () => undefined };
});

describe('the test controls of the fake', () => {
  const metadata = { name: 'a', namespace: 'n' };
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
  const outage = new AppError('Unavailable', 'outage');

  it('fails only the requests it was configured to fail', async () => {
    const kube = createFakeKube();
    kube.failNext({ verb: 'create', kind: 'ConfigMap', times: 2, error: outage });
    await kube.create(coreSecretType, { ...map, kind: 'Secret' });
    await expect(kube.create(configMapType, map)).rejects.toBe(outage);
    await expect(kube.create(configMapType, map)).rejects.toBe(outage);
    expect(await kube.create(configMapType, map)).toBeDefined();
    expect(kube.requests.map(({ verb, kind }) => `${verb} ${kind}`)).toHaveLength(4);
  });

  it('loses the answer to a write that took effect', async () => {
    const kube = createFakeKube();
    kube.failNext({ verb: 'create', when: 'after', error: outage });
    await expect(kube.create(configMapType, map)).rejects.toBe(outage);
    expect(await kube.get(configMapType, metadata)).toBeDefined();
  });

  it('seeds an object unchanged, including status', async () => {
    const kube = createFakeKube();
    const seeded = kube.seed(podType, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...metadata, uid: 'u', generation: 4 },
      spec: { containers: [] },
      status: { phase: 'Running' },
    });
    expect(seeded).toMatchObject({ metadata: { uid: 'u', generation: 4 }, status: { phase: 'Running' } });
    expect(await kube.get(podType, metadata)).toEqual(seeded);
  });

  it('does not share objects with readers or writers', async () => {
    const kube = createFakeKube();
    const made = await kube.create(widgetType, { ...map, kind: 'Widget', spec: { tags: { a: '1' } } });
    made.spec.tags = {};
    expect((await kube.get(widgetType, metadata))?.spec.tags).toEqual({ a: '1' });
  });

  it('encodes the plain text of a secret', async () => {
    const kube = createFakeKube();
    const made = await kube.create(coreSecretType, { ...map, kind: 'Secret', stringData: { key: 'text' } });
    expect(made).toMatchObject({ data: { key: 'dGV4dA==' } });
    expect(made).not.toHaveProperty('stringData');
  });

  it('collects orphaned objects when configured to', async () => {
    const kube = createFakeKube({ isCollectingGarbage: true });
    const owner = await kube.create(configMapType, map);
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: owner.metadata.uid };
    const child = { ...map, metadata: { name: 'child', namespace: 'n', ownerReferences: [reference] } };
    await kube.create(configMapType, child);
    await kube.create(configMapType, { ...map, metadata: { name: 'free', namespace: 'n' } });
    await kube.delete(configMapType, metadata);
    expect((await kube.list(configMapType)).items.map((item) => item.metadata.name)).toEqual(['free']);
  });

  it('ends watches and pages that are older than the compaction', async () => {
    const kube = createFakeKube();
    for (const name of ['a', 'b', 'c']) kube.seed(configMapType, { ...map, metadata: { ...metadata, name } });
    const page = await kube.list(configMapType, { limit: 2 });
    kube.seed(configMapType, { ...map, metadata: { ...metadata, name: 'd' } });
    kube.compact();
    const rest = kube.list(configMapType, { limit: 2, continueToken: page.continueToken ?? '' });
    await expect(rest).rejects.toMatchObject({ reason: 'Conflict' });
    const { signal } = new AbortController();
    const events = kube.watch(configMapType, { resourceVersion: page.resourceVersion, signal });
    await expect(events[Symbol.asyncIterator]().next()).rejects.toMatchObject({ reason: 'Conflict' });
  });

  it('keeps a scheduled pod until its kubelet removes it', async () => {
    const kube = createFakeKube();
    const spec = { nodeName: 'node', containers: [] };
    await kube.create(podType, { apiVersion: 'v1', kind: 'Pod', metadata, spec });
    await kube.delete(podType, metadata);
    expect((await kube.get(podType, metadata))?.metadata.deletionTimestamp).toBeDefined();
    await kube.delete(podType, metadata, { gracePeriodSeconds: 0 });
    expect(await kube.get(podType, metadata)).toBeUndefined();
  });
});
