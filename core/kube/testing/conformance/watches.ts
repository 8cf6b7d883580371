import type { WatchEvent } from '../../kube.ts';
import { type ConformanceSubject, type Widget, widget, widgetType } from './subject.ts';

/** Watches. The server decides when to send bookmarks, so they are skipped here and tested only on the fake. */
export function describeWatches(get: () => ConformanceSubject): void {
  async function begin(selector: { labelSelector?: string; fieldSelector?: string } = {}) {
    const { kube, namespace } = get();
    const { resourceVersion } = await kube.list(widgetType, { namespace });
    const controller = new AbortController();
    const options = { namespace, resourceVersion, signal: controller.signal, ...selector };
    const events = kube.watch(widgetType, options)[Symbol.asyncIterator]();
    return {
      async next(): Promise<Exclude<WatchEvent<Widget>, { type: 'BOOKMARK' }> | undefined> {
        for (;;) {
          const { done, value } = await events.next();
          if (done) return undefined;
          if (value.type !== 'BOOKMARK') return value;
        }
      },
      stop: () => controller.abort(),
    };
  }

  it('reports creation, change and deletion in order, with the last state', async () => {
    const subject = get();
    const watch = await begin({ fieldSelector: 'metadata.name=reported' });
    const made = await subject.kube.create(widgetType, widget(subject, 'reported', { spec: { size: 1 } }));
    const changed = await subject.kube.patch(widgetType, made.metadata, { spec: { size: 2 } });
    await subject.kube.delete(widgetType, made.metadata);
    expect(await watch.next()).toEqual({ type: 'ADDED', object: made });
    expect(await watch.next()).toEqual({ type: 'MODIFIED', object: changed });
    const last = await watch.next();
    expect(last).toMatchObject({
      type: 'DELETED',
      object: { spec: { size: 2 }, metadata: { uid: made.metadata.uid } },
    });
    expect(BigInt(last?.object.metadata.resourceVersion ?? 0)).toBeGreaterThan(
      BigInt(changed.metadata.resourceVersion),
    );
    watch.stop();
  });

  it('reports what happened between the list and the start of the watch', async () => {
    const subject = get();
    const watch = await begin();
    await subject.kube.create(widgetType, widget(subject, 'between'));
    expect(await watch.next()).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'between' } } });
    watch.stop();
  });

  it('reports objects that start to match its selector as added, and those that stop to match as deleted', async () => {
    const subject = get();
    const watch = await begin({ labelSelector: 'fits=yes' });
    const { metadata } = await subject.kube.create(widgetType, widget(subject, 'fitting'));
    await subject.kube.patch(widgetType, metadata, { metadata: { labels: { fits: 'yes' } } });
    await subject.kube.patch(widgetType, metadata, { metadata: { labels: { fits: 'no' } } });
    expect(await watch.next()).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'fitting' } } });
    expect(await watch.next()).toMatchObject({ type: 'DELETED', object: { metadata: { name: 'fitting' } } });
    watch.stop();
  });

  it('ends without an error when it is aborted', async () => {
    const watch = await begin();
    const next = watch.next();
    watch.stop();
    expect(await next).toBeUndefined();
  });

  it('is a Conflict when its version is too old', async () => {
    const { kube, namespace } = get();
    const { signal } = new AbortController();
    const events = kube.watch(widgetType, { namespace, resourceVersion: '1', signal });
    await expect(events[Symbol.asyncIterator]().next()).rejects.toMatchObject({ reason: 'Conflict' });
  });
}
