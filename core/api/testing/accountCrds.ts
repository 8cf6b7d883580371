import { testKubeconfig } from '../../../hack/testenv/testKube.ts';
import { apiVersion } from '../names.ts';
import type { KubeObject } from '../resources/kubeObject.ts';
import { createRawKube } from './rawKube.ts';

export type AccountCrds = Awaited<ReturnType<typeof openAccountCrds>>;

/** A new namespace of a real kube-apiserver, for objects of accounts. */
export async function openAccountCrds(namespace: string) {
  const kube = createRawKube(testKubeconfig());
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  await kube.send('POST', '/api/v1/namespaces', { body });

  function pathOf({ kind, metadata }: KubeObject, isOne = false): string {
    const collection = `/apis/${apiVersion}/namespaces/${namespace}/${kind.toLowerCase().replace(/ity$/, 'itie')}s`;
    return isOne ? `${collection}/${metadata.name}` : collection;
  }
  return {
    close: () => kube.close(),
    async create(object: KubeObject, query = '') {
      const body = { ...object, metadata: { name: object.metadata.name } };
      const answer = await kube.send('POST', `${pathOf(object)}?fieldValidation=Strict${query}`, { body });
      return [answer.status, answer.body.message];
    },
    async change(object: KubeObject, spec: object) {
      const answer = await kube.send('PATCH', pathOf(object, true), { body: { spec } });
      return [answer.status, answer.body.message];
    },
  };
}
