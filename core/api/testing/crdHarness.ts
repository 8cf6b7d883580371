import { apiVersion } from '../names.ts';
import type { KubeObject, ResourceType } from '../resources/kubeObject.ts';
import { networkType, recordingType, secretType, tokenType } from '../resources/resources.ts';
import { createRawKube, type RawAnswer, type RawKube } from './rawKube.ts';

export const types: Record<string, ResourceType> = {
  Network: networkType,
  Secret: secretType,
  Token: tokenType,
  Recording: recordingType,
};

/** A namespace of a real kube-apiserver with Slipway's CRDs. */
export interface CrdHarness {
  kube: RawKube;
  /** Path of a kind's collection, or of one object in it. */
  pathOf(kind: string, name?: string): string;
  /** Creates an object as a dry run with strict field validation. */
  tryCreate(object: KubeObject): Promise<RawAnswer>;
  create(object: KubeObject): Promise<RawAnswer>;
}

export async function createCrdHarness(kubeconfigPath: string, namespace: string): Promise<CrdHarness> {
  const kube = createRawKube(kubeconfigPath);
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  await kube.send('POST', '/api/v1/namespaces', { body });

  function pathOf(kind: string, name = ''): string {
    const collection = `/apis/${apiVersion}/namespaces/${namespace}/${types[kind]?.plural}`;
    return name === '' ? collection : `${collection}/${name}`;
  }
  function post(object: KubeObject, query: string) {
    const path = `${pathOf(object.kind)}?fieldValidation=Strict${query}`;
    return kube.send('POST', path, { body: plain(object) });
  }
  return {
    kube,
    pathOf,
    tryCreate: (object) => post(object, '&dryRun=All'),
    create: (object) => post(object, ''),
  };
}

/** As a user would write it: only a name, and the rest as given. */
function plain(object: KubeObject): KubeObject {
  return { ...object, metadata: { name: object.metadata.name } };
}
