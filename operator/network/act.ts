import { fieldManagers, labels } from '../../core/api/names.ts';
import type { KubeObject, Stored } from '../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import { isImmutable } from '../../core/kube/apply/childTypes.ts';
import { pruneChild } from '../../core/kube/apply/prune.ts';
import { syncChildren } from '../../core/kube/apply/syncChildren.ts';
import type { Kube } from '../../core/kube/kube.ts';
import type { Pod } from '../../core/kube/types.ts';
import { compact } from '../../core/lib/compact.ts';
import { podStateOf } from './decide/podState.ts';

interface Children {
  desired: KubeObject[];
  observed: Stored<KubeObject>[];
  network: Stored<NetworkResource>;
}

/**
 * Makes the children match what is desired. A pod, volume or file that exists keeps its content, because its name says
 * which life of the network it belongs to: a newer operator changes nothing that runs. A pod that has ended is created
 * again. Returns whether everything is done; false: call again.
 */
export async function actOn(kube: Kube, { desired, observed, network }: Children): Promise<boolean> {
  const names = new Set(desired.filter(isFixed).map(identityOf));
  const isKept = (child: KubeObject) => names.has(identityOf(child)) && isAlive(child);
  const isDead = (child: KubeObject) => names.has(identityOf(child)) && !isAlive(child);
  const handled = new Set(observed.filter((child) => isKept(child) || isDead(child)).map(identityOf));
  const ended = observed.filter((child) => isDead(child) && !child.metadata.deletionTimestamp);
  for (const child of ended) await pruneChild(kube, child, { labels: labelsOf(network) });
  const isOpen = (child: KubeObject) => !handled.has(identityOf(child));
  const sync = (isIncluded: (child: KubeObject) => boolean) =>
    syncChildren(kube, {
      desired: desired.filter((child) => isOpen(child) && isIncluded(child)),
      observed: observed.filter((child) => isOpen(child) && isIncluded(child)),
      namespace: network.metadata.namespace,
      labels: labelsOf(network),
      fieldManager: fieldManagers.operator,
    });
  // Files and volumes first: a kubelet that does not find them tries again only after half a second.
  const others = await sync(({ kind }) => kind !== 'Pod');
  const pods = await sync(({ kind }) => kind === 'Pod');
  return others.pending.length === 0 && pods.pending.length === 0 && !observed.some(isDead);
}

/** Deletes children whose network is gone, after asking the API server that it is really gone. */
export async function removeOrphans(kube: Kube, children: Stored<KubeObject>[]): Promise<void> {
  for (const child of children) {
    const [owner] = child.metadata.ownerReferences ?? [];
    const uid = child.metadata.labels?.[labels.network] ?? '';
    const ref = { ...compact({ namespace: child.metadata.namespace }), name: owner?.name ?? '' };
    const live = owner ? await kube.get(networkType, ref) : undefined;
    if (live?.metadata.uid !== uid) await pruneChild(kube, child, { labels: { [labels.network]: uid } });
  }
}

/** What keeps its content once it is there. */
function isFixed(child: KubeObject): boolean {
  return isImmutable(child) || child.kind === 'PersistentVolumeClaim';
}

function labelsOf(network: Stored<NetworkResource>): Record<string, string> {
  return { [labels.network]: network.metadata.uid };
}

function isAlive(child: KubeObject): boolean {
  if (child.metadata.deletionTimestamp) return false;
  return child.kind !== 'Pod' || podStateOf(child as Pod).phase !== 'dead';
}

function identityOf({ kind, metadata }: KubeObject): string {
  return `${kind}/${metadata.name}`;
}
