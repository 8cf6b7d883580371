import { configMapType } from '../../types.ts';
import { type ConformanceSubject, configMap, widget, widgetType } from './subject.ts';

const hold = 'slipway.dev/hold';

/** Deletes, preconditions and finalizers. */
export function describeDeletes(get: () => ConformanceSubject): void {
  it('returns whether the object existed', async () => {
    const subject = get();
    const { metadata } = await subject.kube.create(configMapType, configMap(subject, 'gone'));
    expect(await subject.kube.delete(configMapType, metadata)).toBe(true);
    expect(await subject.kube.get(configMapType, metadata)).toBeUndefined();
    expect(await subject.kube.delete(configMapType, metadata)).toBe(false);
  });

  it.each([
    ['another uid', { uid: '00000000-0000-4000-8000-000000000000' }],
    ['an old version', { resourceVersion: '1' }],
  ])('is a Conflict with %s, and deletes nothing', async (_reason, precondition) => {
    const subject = get();
    const name = `kept-${Object.keys(precondition)[0]?.toLowerCase()}`;
    const { metadata } = await subject.kube.create(configMapType, configMap(subject, name));
    const refused = subject.kube.delete(configMapType, metadata, precondition);
    await expect(refused).rejects.toMatchObject({ reason: 'Conflict' });
    expect(await subject.kube.get(configMapType, metadata)).toBeDefined();
  });

  it('deletes when uid and version are right', async () => {
    const subject = get();
    const { metadata } = await subject.kube.create(configMapType, configMap(subject, 'right'));
    const { uid, resourceVersion } = metadata;
    expect(await subject.kube.delete(configMapType, metadata, { uid, resourceVersion })).toBe(true);
    expect(await subject.kube.get(configMapType, metadata)).toBeUndefined();
  });

  it('waits for finalizers, and ends with the last of them', async () => {
    const subject = get();
    const made = await subject.kube.create(
      widgetType,
      widget(subject, 'held', { metadata: { finalizers: [hold] } }),
    );
    expect(await subject.kube.delete(widgetType, made.metadata)).toBe(true);
    const ending = await subject.kube.get(widgetType, made.metadata);
    expect(ending?.metadata.deletionTimestamp).toBeDefined();
    expect(ending?.metadata.generation).toBe(2);
    expect(await subject.kube.delete(widgetType, made.metadata)).toBe(true);
    const again = await subject.kube.get(widgetType, made.metadata);
    expect(again?.metadata.deletionTimestamp).toBe(ending?.metadata.deletionTimestamp);
    await subject.kube.patch(widgetType, made.metadata, { metadata: { finalizers: null } });
    expect(await subject.kube.get(widgetType, made.metadata)).toBeUndefined();
  });

  it('refuses new finalizers once the object is terminating', async () => {
    const subject = get();
    const made = await subject.kube.create(
      widgetType,
      widget(subject, 'ending', { metadata: { finalizers: [hold] } }),
    );
    await subject.kube.delete(widgetType, made.metadata);
    const finalizers = [hold, 'slipway.dev/late'];
    const late = subject.kube.patch(widgetType, made.metadata, { metadata: { finalizers } });
    await expect(late).rejects.toMatchObject({ reason: 'BadRequest' });
    await subject.kube.patch(widgetType, made.metadata, { metadata: { finalizers: null } });
  });

  it('gives a new object of the same name another uid', async () => {
    const subject = get();
    const before = await subject.kube.create(widgetType, widget(subject, 'reborn'));
    await subject.kube.delete(widgetType, before.metadata);
    const after = await subject.kube.create(widgetType, widget(subject, 'reborn'));
    expect(after.metadata.uid).not.toBe(before.metadata.uid);
    const uid = before.metadata.uid;
    await expect(subject.kube.delete(widgetType, after.metadata, { uid })).rejects.toMatchObject({
      reason: 'Conflict',
    });
  });
}
