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

/**
 * Makes a ConfigMap in the service's namespace say `data`. It goes with the chart's object, so nothing is left of it after an
 * uninstall.
 */
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
