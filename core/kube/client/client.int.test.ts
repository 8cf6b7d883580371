import { createTestKube, testKubeconfig } from '../../../hack/testenv/testKube.ts';
import type { KubeObject, ResourceType } from '../kube.ts';
import { createRealSubject, defineAndWait } from '../testing/conformance/realSubject.ts';
import { type ConformanceSubject, defineKind, widgetType } from '../testing/conformance/subject.ts';
import { describeKubeConformance } from '../testing/conformance.ts';
import { coreSecretType, podType } from '../types.ts';

const kubeconfigPath = testKubeconfig();

describeKubeConformance('the client of kube-apiserver', () => createRealSubject(kubeconfigPath));

describe('the client of kube-apiserver, beyond the conformance suite', () => {
  let subject: ConformanceSubject;
  beforeAll(async () => {
    subject = await createRealSubject(kubeconfigPath);
  });
  afterAll(() => subject?.close());

  it('distinguishes a kind that is not served from an object that does not exist', async () => {
    const unserved = { ...widgetType, plural: 'gadgets' };
    const found = subject.kube.get(unserved, { namespace: subject.namespace, name: 'a' });
    await expect(found).rejects.toMatchObject({ reason: 'NotFound' });
    const deleted = subject.kube.delete(unserved, { namespace: subject.namespace, name: 'a' });
    await expect(deleted).rejects.toMatchObject({ reason: 'NotFound' });
  });

  it('never repeats the content of a secret that is refused', async () => {
    const metadata = { name: 'refused', namespace: subject.namespace };
    const data = { '.dockerconfigjson': Buffer.from('hunter2-hunter2').toString('base64') };
    const core = subject.kube.create(coreSecretType, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata,
      data,
      type: 'kubernetes.io/dockerconfigjson',
    });
    await expect(core).rejects.toMatchObject({ reason: 'BadRequest' });
    const ownSecret: ResourceType = { ...widgetType, kind: 'Secret', plural: 'secrets' };
    const spec = {
      type: 'object',
      properties: { data: { type: 'string', pattern: '^x+$' }, size: { type: 'integer' } },
    };
    await defineAndWait(subject.kube, defineKind(ownSecret, { spec }));
    for (const content of [
      { data: 'hunter2-hunter2' },
      { size: 'hunter2-hunter2' },
      { data: { hunter2: 1 } },
    ]) {
      const object: KubeObject & { spec: object } = {
        apiVersion: 'conformance.slipway.dev/v1',
        kind: 'Secret',
        metadata,
        spec: content,
      };
      const error: unknown = await subject.kube.create(ownSecret, object).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ reason: 'BadRequest' });
      expect(JSON.stringify([error, String(error)])).not.toContain('hunter2');
    }
  });

  it('names every invalid field at once', async () => {
    const metadata = { name: 'wrong', namespace: subject.namespace };
    const spec = { containers: [{ name: 'A B', image: '' }], restartPolicy: 'Perhaps' };
    const refused = subject.kube.create(podType, { apiVersion: 'v1', kind: 'Pod', metadata, spec });
    const error: { details: { path: string }[] } = await refused.catch((thrown) => thrown);
    const paths = error.details.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['spec.containers[0].name', 'spec.restartPolicy']));
  });

  it('is Unavailable once it is closed', async () => {
    const kube = createTestKube();
    await kube.close();
    await expect(kube.list(podType)).rejects.toMatchObject({ reason: 'Unavailable' });
  });
});
