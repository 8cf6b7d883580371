import { configMapType } from '../../types.ts';
import { type ConformanceSubject, configMap, type Widget, widget, widgetType } from './subject.ts';

const first = { fieldManager: 'first' };
const second = { fieldManager: 'second' };

/** Server-side apply. */
export function describeApply(get: () => ConformanceSubject): void {
  it('creates a missing object', async () => {
    const subject = get();
    const made = await subject.kube.apply(configMapType, configMap(subject, 'applied', { a: '1' }), first);
    expect(made.data).toEqual({ a: '1' });
    expect(made.metadata.uid).toBeDefined();
  });

  it('writes nothing when the same is applied again', async () => {
    const subject = get();
    const made = await subject.kube.apply(configMapType, configMap(subject, 'again', { a: '1' }), first);
    const again = await subject.kube.apply(configMapType, configMap(subject, 'again', { a: '1' }), first);
    expect(again.metadata.resourceVersion).toBe(made.metadata.resourceVersion);
  });

  it('removes a field that the manager no longer names', async () => {
    const subject = get();
    await subject.kube.apply(configMapType, configMap(subject, 'fewer', { a: '1', b: '2' }), first);
    const next = await subject.kube.apply(configMapType, configMap(subject, 'fewer', { a: '1' }), first);
    expect(next.data).toEqual({ a: '1' });
  });

  it('removes nested fields and the maps that become empty', async () => {
    const subject = get();
    const tagged = widget(subject, 'nested', { spec: { size: 1, tags: { a: '1' } } });
    await subject.kube.apply(widgetType, tagged, first);
    const next = await subject.kube.apply(
      widgetType,
      widget(subject, 'nested', { spec: { size: 1 } }),
      first,
    );
    expect(next.spec).toEqual({ size: 1 });
  });

  it('keeps fields of another manager', async () => {
    const subject = get();
    await subject.kube.apply(configMapType, configMap(subject, 'two', { a: '1' }), first);
    await subject.kube.apply(configMapType, configMap(subject, 'two', { b: '2' }), second);
    const next = await subject.kube.apply(configMapType, configMap(subject, 'two', {}), first);
    expect(next.data).toEqual({ b: '2' });
  });

  it('keeps a shared field until both managers have dropped it', async () => {
    const subject = get();
    await subject.kube.apply(configMapType, configMap(subject, 'shared', { a: '1', x: '1' }), first);
    await subject.kube.apply(configMapType, configMap(subject, 'shared', { a: '1' }), second);
    const one = await subject.kube.apply(configMapType, configMap(subject, 'shared', { x: '1' }), first);
    expect(one.data).toEqual({ a: '1', x: '1' });
    const none = await subject.kube.apply(configMapType, configMap(subject, 'shared', {}), second);
    expect(none.data).toEqual({ x: '1' });
  });

  it('takes a field from another manager by force', async () => {
    const subject = get();
    await subject.kube.apply(configMapType, configMap(subject, 'forced', { a: '1' }), first);
    const next = await subject.kube.apply(configMapType, configMap(subject, 'forced', { a: '2' }), second);
    expect(next.data).toEqual({ a: '2' });
    const after = await subject.kube.apply(configMapType, configMap(subject, 'forced', {}), first);
    expect(after.data).toEqual({ a: '2' });
  });

  it('keeps fields written by a merge patch', async () => {
    const subject = get();
    const { metadata } = await subject.kube.apply(
      configMapType,
      configMap(subject, 'patched', { a: '1' }),
      first,
    );
    await subject.kube.patch(configMapType, metadata, { data: { b: '2' } });
    const next = await subject.kube.apply(configMapType, configMap(subject, 'patched', { a: '3' }), first);
    expect(next.data).toEqual({ a: '3', b: '2' });
  });

  it('keeps the finalizers of each manager apart', async () => {
    const subject = get();
    const mine = widget(subject, 'final', { metadata: { finalizers: ['slipway.dev/first'] } });
    const other = widget(subject, 'final', { metadata: { finalizers: ['slipway.dev/second'] } });
    await subject.kube.apply(widgetType, mine, first);
    const both = await subject.kube.apply(widgetType, other, second);
    expect(both.metadata.finalizers?.toSorted()).toEqual(['slipway.dev/first', 'slipway.dev/second']);
    const rest = await subject.kube.apply(widgetType, widget(subject, 'final'), first);
    expect(rest.metadata.finalizers).toEqual(['slipway.dev/second']);
    await subject.kube.apply(widgetType, widget(subject, 'final'), second);
  });

  it('applies status only through its subresource', async () => {
    const subject = get();
    const full: Widget = { ...widget(subject, 'status', { spec: { size: 1 } }), status: { phase: 'Ready' } };
    const made = await subject.kube.apply(widgetType, full, first);
    expect(made.status).toBeUndefined();
    const status = { ...full, spec: { size: 9 } };
    const next = await subject.kube.apply(widgetType, status, { ...first, subresource: 'status' });
    expect(next).toMatchObject({ spec: { size: 1 }, status: { phase: 'Ready' } });
    expect(next.metadata.generation).toBe(1);
  });

  it('is a Conflict when the object with the given uid does not exist', async () => {
    const subject = get();
    const uid = '00000000-0000-4000-8000-000000000000';
    const gone = widget(subject, 'gone', { metadata: { uid } });
    await expect(subject.kube.apply(widgetType, gone, first)).rejects.toMatchObject({ reason: 'Conflict' });
  });
}
