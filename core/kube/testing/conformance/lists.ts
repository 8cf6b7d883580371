import type { KubeObject, ListOptions } from '../../kube.ts';
import { configMapType } from '../../types.ts';
import { type ConformanceSubject, configMap, widget, widgetType } from './subject.ts';

const namesOf = (objects: KubeObject[]) => objects.map(({ metadata }) => metadata.name).toSorted();

/** Lists: selection, pages, metadata only. */
export function describeLists(get: () => ConformanceSubject): void {
  beforeAll(async () => {
    const subject = get();
    const specs = [
      { name: 'a', color: 'red', labels: { app: 'x', tier: '1' } },
      { name: 'b', color: 'red', labels: { app: 'x', tier: '2' } },
      { name: 'c', color: 'blue', labels: { app: 'y' } },
      { name: 'd', color: 'green' },
    ];
    for (const { name, color, labels } of specs) {
      const metadata = labels ? { labels: { suite: 'lists', ...labels } } : { labels: { suite: 'lists' } };
      await subject.kube.create(widgetType, widget(subject, `list-${name}`, { spec: { color }, metadata }));
    }
  });

  const selections: [string, Omit<ListOptions, 'namespace'>, string[]][] = [
    ['equal label', { labelSelector: 'app=x' }, ['list-a', 'list-b']],
    ['equal label, doubled sign', { labelSelector: 'app==x,tier=1' }, ['list-a']],
    ['unequal label, also when it is absent', { labelSelector: 'app!=x,suite=lists' }, ['list-c', 'list-d']],
    ['label in a set', { labelSelector: 'app in (x, y),tier!=2' }, ['list-a', 'list-c']],
    ['label not in a set', { labelSelector: 'app notin (y),suite=lists' }, ['list-a', 'list-b', 'list-d']],
    ['label present', { labelSelector: 'tier' }, ['list-a', 'list-b']],
    ['label absent', { labelSelector: '!app,suite=lists' }, ['list-d']],
    ['name', { fieldSelector: 'metadata.name=list-c' }, ['list-c']],
    ['selectable field of the spec', { fieldSelector: 'spec.color=red' }, ['list-a', 'list-b']],
    [
      'selectable field, unequal',
      { fieldSelector: 'spec.color!=red', labelSelector: 'suite=lists' },
      ['list-c', 'list-d'],
    ],
  ];
  it.each(selections)('selects by %s', async (_reason, options, expected) => {
    const { kube, namespace } = get();
    const { items } = await kube.list(widgetType, { ...options, namespace });
    expect(namesOf(items)).toEqual(expected);
    for (const item of items)
      expect(item).toMatchObject({ apiVersion: 'conformance.slipway.dev/v1', kind: 'Widget' });
  });

  it('lists all namespaces without one', async () => {
    const { kube, namespace } = get();
    const { items } = await kube.list(widgetType, { labelSelector: 'suite=lists' });
    const own = items.filter(({ metadata }) => metadata.namespace === namespace);
    expect(namesOf(own)).toEqual(['list-a', 'list-b', 'list-c', 'list-d']);
  });

  it('is a BadRequest when a selector is invalid', async () => {
    const { kube, namespace } = get();
    const refused = kube.list(widgetType, { namespace, labelSelector: 'a in (' });
    await expect(refused).rejects.toMatchObject({ reason: 'BadRequest' });
  });

  it('gives pages of one consistent snapshot', async () => {
    const subject = get();
    const { kube, namespace } = subject;
    const options = { namespace, labelSelector: 'suite=lists', limit: 2 };
    const first = await kube.list(widgetType, options);
    expect(first.items).toHaveLength(2);
    const late = widget(subject, 'list-late', { metadata: { labels: { suite: 'lists' } } });
    const { metadata } = await kube.create(widgetType, late);
    let items = first.items;
    for (let page = first; page.continueToken; items = [...items, ...page.items]) {
      page = await kube.list(widgetType, { ...options, continueToken: page.continueToken });
      expect(page.resourceVersion).toBe(first.resourceVersion);
    }
    expect(namesOf(items)).toEqual(['list-a', 'list-b', 'list-c', 'list-d']);
    await kube.delete(widgetType, metadata);
  });

  it('reports how many more objects there are, unless it has a selector', async () => {
    const { kube, namespace } = get();
    const { items } = await kube.list(widgetType, { namespace });
    for (const isMetadataOnly of [false, true]) {
      const page = await kube.list(widgetType, { namespace, limit: 1, isMetadataOnly });
      expect(page).toMatchObject({ remaining: items.length - 1, continueToken: expect.any(String) });
    }
    const selected = await kube.list(widgetType, { namespace, limit: 1, labelSelector: 'suite=lists' });
    expect(selected.remaining).toBeUndefined();
  });

  it('has a version that covers every write answered before', async () => {
    const subject = get();
    const made = await subject.kube.create(configMapType, configMap(subject, 'covered'));
    const { resourceVersion } = await subject.kube.list(configMapType, { namespace: subject.namespace });
    expect(BigInt(resourceVersion)).toBeGreaterThanOrEqual(BigInt(made.metadata.resourceVersion));
  });

  it('gives only metadata when requested', async () => {
    const { kube, namespace } = get();
    const options = { namespace, fieldSelector: 'metadata.name=list-a', isMetadataOnly: true };
    const { items } = await kube.list(widgetType, options);
    expect(items).toHaveLength(1);
    expect(Object.keys(items[0] ?? {}).toSorted()).toEqual(['apiVersion', 'kind', 'metadata']);
    expect(items[0]?.kind).toBe('Widget');
  });
}
