import { describeKubeConformance } from './conformance.ts';
import { createFakeKube } from './fake.ts';
import { namespaceType } from './types.ts';

describeKubeConformance('the fake', async () => {
  const kube = createFakeKube({ requiresNamespaces: true });
  const namespace = 'conformance';
  await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  return { kube, namespace, close: async () => undefined };
});
