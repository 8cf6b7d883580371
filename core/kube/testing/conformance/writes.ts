import { configMapType, namespaceType, podType, serviceType } from '../../types.ts';
import { type ConformanceSubject, configMap, type Widget, widget, widgetType } from './subject.ts';

/** Creates, replaces and merge patches. */
export function describeWrites(get: () => ConformanceSubject): void {
  describe('create', () => {
    it('returns the object with the fields that the server sets', async () => {
      const subject = get();
      const made = await subject.kube.create(widgetType, widget(subject, 'made', { spec: { size: 1 } }));
      expect(made).toMatchObject({
        apiVersion: 'conformance.slipway.dev/v1',
        kind: 'Widget',
        spec: { size: 1 },
      });
      expect(made.metadata).toMatchObject({ name: 'made', namespace: subject.namespace, generation: 1 });
      expect(made.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
      expect(made.metadata.resourceVersion).toMatch(/^\d+$/);
      expect(made.metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(await subject.kube.get(widgetType, made.metadata)).toEqual(made);
    });

    it('is a Conflict when the name is taken', async () => {
      const subject = get();
      await subject.kube.create(configMapType, configMap(subject, 'taken'));
      const again = subject.kube.create(configMapType, configMap(subject, 'taken'));
      await expect(again).rejects.toMatchObject({ reason: 'Conflict' });
    });

    it('is a BadRequest that names the field when the name is invalid', async () => {
      const subject = get();
      const refused = subject.kube.create(configMapType, configMap(subject, 'Not_A_Name'));
      await expect(refused).rejects.toMatchObject({
        reason: 'BadRequest',
        details: [{ path: 'metadata.name' }],
      });
    });

    it('is NotFound in a namespace that does not exist', async () => {
      const subject = get();
      const withoutNamespace = configMap({ ...subject, namespace: 'no-such-namespace' }, 'homeless');
      await expect(subject.kube.create(configMapType, withoutNamespace)).rejects.toMatchObject({
        reason: 'NotFound',
      });
    });

    it('ignores status, which has its own subresource', async () => {
      const subject = get();
      const sent: Widget = { ...widget(subject, 'no-status'), status: { phase: 'Made up' } };
      expect((await subject.kube.create(widgetType, sent)).status).toBeUndefined();
    });

    it('creates cluster-scoped objects', async () => {
      const { kube, namespace } = get();
      const found = await kube.get(namespaceType, { name: namespace });
      expect(found?.metadata.name).toBe(namespace);
    });
  });

  describe('replace', () => {
    it('replaces the whole object and increments the generation when the spec changes', async () => {
      const subject = get();
      const made = await subject.kube.create(
        widgetType,
        widget(subject, 'whole', { spec: { size: 1, color: 'red' } }),
      );
      const next = await subject.kube.replace(widgetType, { ...made, spec: { size: 2 } });
      expect(next.spec).toEqual({ size: 2 });
      expect(next.metadata.generation).toBe(2);
      expect(next.metadata.resourceVersion).not.toBe(made.metadata.resourceVersion);
    });

    it('is a Conflict when the object has changed meanwhile', async () => {
      const subject = get();
      const made = await subject.kube.create(widgetType, widget(subject, 'raced', { spec: { size: 1 } }));
      await subject.kube.replace(widgetType, { ...made, spec: { size: 2 } });
      const late = subject.kube.replace(widgetType, { ...made, spec: { size: 3 } });
      await expect(late).rejects.toMatchObject({ reason: 'Conflict' });
    });

    it('is a Conflict when the object has another uid', async () => {
      const subject = get();
      const made = await subject.kube.create(widgetType, widget(subject, 'namesake'));
      const uid = '00000000-0000-4000-8000-000000000000';
      const foreign = subject.kube.replace(widgetType, { ...made, metadata: { ...made.metadata, uid } });
      await expect(foreign).rejects.toMatchObject({ reason: 'Conflict' });
    });

    it('is refused without a version for a custom resource', async () => {
      const subject = get();
      await subject.kube.create(widgetType, widget(subject, 'unversioned'));
      const blind = subject.kube.replace(widgetType, widget(subject, 'unversioned', { spec: { size: 3 } }));
      await expect(blind).rejects.toMatchObject({
        reason: 'BadRequest',
        details: [{ path: 'metadata.resourceVersion' }],
      });
    });

    it('is NotFound when the object does not exist', async () => {
      const subject = get();
      const nothing = widget(subject, 'nothing', { metadata: { resourceVersion: '5' } });
      await expect(subject.kube.replace(widgetType, nothing)).rejects.toMatchObject({ reason: 'NotFound' });
    });

    it('writes nothing when nothing changes', async () => {
      const subject = get();
      const made = await subject.kube.create(widgetType, widget(subject, 'same', { spec: { size: 1 } }));
      expect(await subject.kube.replace(widgetType, made)).toEqual(made);
    });

    it('keeps status and spec apart', async () => {
      const subject = get();
      const made = await subject.kube.create(widgetType, widget(subject, 'apart', { spec: { size: 1 } }));
      const both: Widget = { ...made, spec: { size: 2 }, status: { phase: 'Ready' } };
      const withStatus = await subject.kube.replace(widgetType, both, 'status');
      expect(withStatus).toMatchObject({ spec: { size: 1 }, status: { phase: 'Ready' } });
      expect(withStatus.metadata.generation).toBe(1);
      const other: Widget = { ...withStatus, spec: { size: 3 }, status: { phase: 'Ignored' } };
      const withSpec = await subject.kube.replace(widgetType, other);
      expect(withSpec).toMatchObject({ spec: { size: 3 }, status: { phase: 'Ready' } });
      expect(withSpec.metadata.generation).toBe(2);
    });

    it('refuses to change an immutable object', async () => {
      const subject = get();
      const frozen = { ...configMap(subject, 'frozen', { key: 'a' }), immutable: true };
      const made = await subject.kube.create(configMapType, frozen);
      const changed = subject.kube.replace(configMapType, { ...made, data: { key: 'b' } });
      await expect(changed).rejects.toMatchObject({ reason: 'BadRequest', details: [{ path: 'data' }] });
    });
  });

  describe('patch', () => {
    it('merges maps, replaces lists and removes what is null', async () => {
      const subject = get();
      const tags = { keep: '1', drop: '2' };
      await subject.kube.create(widgetType, widget(subject, 'merged', { spec: { size: 1, tags } }));
      const ref = { namespace: subject.namespace, name: 'merged' };
      const patch = { metadata: { labels: { app: 'a' } }, spec: { tags: { drop: null, more: '3' } } };
      const next = await subject.kube.patch(widgetType, ref, patch);
      expect(next.spec).toEqual({ size: 1, tags: { keep: '1', more: '3' } });
      expect(next.metadata.labels).toEqual({ app: 'a' });
      expect(next.metadata.generation).toBe(2);
    });

    it('does not increment the generation when only metadata or status changes', async () => {
      const subject = get();
      const { metadata } = await subject.kube.create(
        widgetType,
        widget(subject, 'quiet', { spec: { size: 1 } }),
      );
      await subject.kube.patch(widgetType, metadata, { metadata: { annotations: { note: 'x' } } });
      const next = await subject.kube.patch(widgetType, metadata, { status: { phase: 'Ready' } }, 'status');
      expect(next.metadata.generation).toBe(1);
      expect(next).toMatchObject({ status: { phase: 'Ready' }, spec: { size: 1 } });
    });

    it.each([
      ['another uid', { uid: '00000000-0000-4000-8000-000000000000' }],
      ['an old version', { resourceVersion: '1' }],
    ])('is a Conflict with %s', async (_reason, metadata) => {
      const subject = get();
      const name = `guarded-${Object.keys(metadata)[0]?.toLowerCase()}`;
      await subject.kube.create(widgetType, widget(subject, name));
      const patch = subject.kube.patch(
        widgetType,
        { namespace: subject.namespace, name },
        { metadata, spec: { size: 1 } },
      );
      await expect(patch).rejects.toMatchObject({ reason: 'Conflict' });
    });

    it('is NotFound when the object does not exist', async () => {
      const { kube, namespace } = get();
      const patch = kube.patch(widgetType, { namespace, name: 'nowhere' }, { spec: {} });
      await expect(patch).rejects.toMatchObject({ reason: 'NotFound' });
    });

    it('adds a container to a pod through its subresource', async () => {
      const { kube, namespace } = get();
      const metadata = { name: 'joined', namespace };
      const spec = { containers: [{ name: 'main', image: 'none' }] };
      await kube.create(podType, { apiVersion: 'v1', kind: 'Pod', metadata, spec });
      const patch = { spec: { ephemeralContainers: [{ name: 'guest', image: 'none' }] } };
      const next = await kube.patch(podType, metadata, patch, 'ephemeralcontainers');
      expect(next.spec.ephemeralContainers).toMatchObject([{ name: 'guest', image: 'none' }]);
      expect(next.spec.containers).toMatchObject(spec.containers);
    });

    it('refuses to change the spec of a pod', async () => {
      const { kube, namespace } = get();
      const metadata = { name: 'fixed', namespace };
      const spec = { containers: [{ name: 'main', image: 'none' }] };
      await kube.create(podType, { apiVersion: 'v1', kind: 'Pod', metadata, spec });
      const patch = kube.patch(podType, metadata, { spec: { hostname: 'other' } });
      await expect(patch).rejects.toMatchObject({ reason: 'BadRequest' });
    });

    it('refuses to take the address of a Service, which stays when a patch does not name it', async () => {
      const { kube, namespace } = get();
      const metadata = { name: 'addressed', namespace };
      const ports = [{ name: 'rpc', port: 80, protocol: 'TCP', targetPort: 80 }];
      const made = await kube.create(serviceType, {
        apiVersion: 'v1',
        kind: 'Service',
        metadata,
        spec: { selector: { app: 'a' }, ports },
      });
      const patch = kube.patch(serviceType, metadata, { spec: { clusterIP: 'None' } });
      await expect(patch).rejects.toMatchObject({ reason: 'BadRequest' });
      const next = await kube.patch(serviceType, metadata, { spec: { selector: { app: 'b' } } });
      expect(next.spec).toMatchObject({ clusterIP: made.spec.clusterIP, selector: { app: 'b' } });
      expect(made.spec.clusterIP).toMatch(/^[0-9a-f]+[.:]/);
    });
  });
}
