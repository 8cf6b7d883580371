import { type EngineName, engineNames } from '../../core/api/engines.ts';
import { engineObjects } from '../../core/api/names.ts';
import { controllerReferenceTo } from '../../core/api/resources/kubeObject.ts';
import type { Kube, Stored } from '../../core/kube/kube.ts';
import { type ConfigMap, configMapType } from '../../core/kube/types.ts';
import { parseRfc3339, toRfc3339 } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import type { Wanted } from './board.ts';

type Data = Readonly<Record<string, string>>;

/** What the ConfigMap says, whoever wrote it. Times that are none, and names of other versions, are omitted. */
export function readWanted({ data = {} }: Pick<ConfigMap, 'data'>): Wanted {
  const found = engineNames.flatMap((name): [EngineName, number][] => {
    const sinceMs = parseRfc3339(data[name]);
    return sinceMs === undefined ? [] : [[name, sinceMs]];
  });
  return new Map(found);
}

export function renderWanted(wanted: Wanted): Data {
  return Object.fromEntries([...wanted].map(([name, sinceMs]) => [name, toRfc3339(sinceMs)]));
}

interface Write {
  namespace: string;
  live: Stored<ConfigMap> | undefined;
  data: Data;
}

/** Makes the object say `data`. It goes with the chart's object, so nothing is left of it after an uninstall. */
export async function writeWanted(
  kube: Pick<Kube, 'get' | 'create' | 'patch'>,
  { namespace, live, data }: Write,
): Promise<void> {
  const ref = { namespace, name: engineObjects.wanted };
  if (live) {
    const removed = Object.keys(live.data ?? {}).filter((name) => data[name] === undefined);
    const patch = { ...Object.fromEntries(removed.map((name) => [name, null])), ...data };
    await kube.patch(configMapType, ref, { data: patch });
    return;
  }
  const chart = await kube.get(configMapType, { namespace, name: engineObjects.chart });
  const owner = chart && { ...controllerReferenceTo(chart), controller: false };
  const metadata = { ...ref, ...compact({ ownerReferences: owner && [owner] }) };
  await kube.create(configMapType, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
}
