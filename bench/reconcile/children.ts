import { labels } from '../../core/api/names.ts';
import type { Kube, KubeObject } from '../../core/kube/kube.ts';
import { configMapType, podType, serviceType } from '../../core/kube/types.ts';

/** The children of one network. */
export interface Family {
  files: KubeObject[];
  pods: KubeObject[];
}

/** The children of all networks as a client would create them, without fields that the cluster added. */
export async function readFamilies(kube: Pick<Kube, 'list'>, namespace: string): Promise<Family[]> {
  const families = new Map<string, Family>();
  for (const type of [podType, configMapType, serviceType]) {
    const { items } = await kube.list<KubeObject>(type, { namespace, labelSelector: labels.network });
    for (const item of items) {
      const uid = item.metadata.labels?.[labels.network] ?? '';
      const family = families.get(uid) ?? { files: [], pods: [] };
      families.set(uid, family);
      const kind = item.kind === 'Pod' ? family.pods : family.files;
      kind.push(asSent(item));
    }
  }
  return [...families.values()];
}

const addedToPods = ['nodeName', 'tolerations', 'priority', 'preemptionPolicy', 'schedulerName', 'dnsPolicy'];
const addedToServices = ['clusterIPs', 'ipFamilies', 'ipFamilyPolicy'];

function asSent(object: KubeObject): KubeObject {
  const { status: _status, ...rest } = object as KubeObject & { status?: unknown };
  const { name, namespace, labels: ownLabels, annotations, ownerReferences } = rest.metadata;
  const metadata = {
    name,
    namespace,
    labels: ownLabels,
    annotations,
    ownerReferences,
  } as KubeObject['metadata'];
  const { spec } = rest as { spec?: Record<string, unknown> };
  if (spec === undefined) return { ...rest, metadata };
  const added = [...addedToPods, ...addedToServices];
  const sent = Object.fromEntries(Object.entries(spec).filter(([member]) => !added.includes(member)));
  return { ...rest, metadata, spec: sent } as KubeObject;
}
