import { engineObjects } from '../../core/api/names.ts';
import { controllerReferenceTo } from '../../core/api/resources/kubeObject.ts';
import type { Kube, Stored } from '../../core/kube/kube.ts';
import { type ConfigMap, configMapType } from '../../core/kube/types.ts';
import { compact } from '../../core/lib/compact.ts';

interface Write {
  namespace: string;
  name: string;
  live: Stored<ConfigMap> | undefined;
  data: Readonly<Record<string, string>>;
}

/** Writes `data` into a ConfigMap in the service's namespace. The chart's object owns it, so that an uninstall deletes it. */
export async function writeServiceConfigMap(
  kube: Pick<Kube, 'get' | 'create' | 'patch'>,
  { namespace, name, live, data }: Write,
): Promise<void> {
  const ref = { namespace, name };
  if (live) {
    const removed = Object.keys(live.data ?? {}).filter((key) => data[key] === undefined);
    const patch = { ...Object.fromEntries(removed.map((key) => [key, null])), ...data };
    await kube.patch(configMapType, ref, { data: patch });
    return;
  }
  const chart = await kube.get(configMapType, { namespace, name: engineObjects.chart });
  const owner = chart && { ...controllerReferenceTo(chart), controller: false };
  const metadata = { ...ref, ...compact({ ownerReferences: owner && [owner] }) };
  await kube.create(configMapType, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
}
