import { idOf } from '../../core/api/ids.ts';
import { fieldManagers, labels } from '../../core/api/names.ts';
import type { KubeObject, Stored } from '../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import type { ApplyFailure } from '../../core/kube/apply/applyFailure.ts';
import { isImmutable } from '../../core/kube/apply/childTypes.ts';
import { pruneChild } from '../../core/kube/apply/prune.ts';
import { syncChildren } from '../../core/kube/apply/syncChildren.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { ownedBy } from '../../core/kube/ownedBy.ts';
import { type Pod, persistentVolumeClaimType, podType } from '../../core/kube/types.ts';
import { compact } from '../../core/lib/compact.ts';
import { isAppError } from '../../core/lib/errors.ts';
import { podStateOf } from './decide/podState.ts';
import { isOfPlugin } from './render/childNames.ts';

interface Children {
  desired: KubeObject[];
  observed: Stored<KubeObject>[];
  network: Stored<NetworkResource>;
}

/**
 * Makes the children match the desired ones. Existing pods, volumes and files keep their content, because their names
 * identify the incarnation of the network: a newer operator does not change what is running. A pod that has terminated
 * is created again. `isSettled`: nothing remains for which the caller must call again.
 */
export async function actOn(kube: Kube, children: Children): Promise<Acted> {
  const { desired, observed, network } = children;
  const isOurs = ownedBy(network);
  const standingOf = classify(children);
  const ended = observed.filter((child) => standingOf(child) === 'ended');
  for (const child of ended) await pruneChild(kube, child, { isOurs });
  const sync = (isIncluded: (child: KubeObject) => boolean) => {
    const isSynced = (child: KubeObject) => standingOf(child) === 'synced' && isIncluded(child);
    return syncChildren(kube, {
      desired: desired.filter(isSynced),
      observed: observed.filter(isSynced),
      namespace: network.metadata.namespace,
      labels: { [labels.network]: idOf(network) },
      isOurs,
      fieldManager: fieldManagers.operator,
    });
  };
  // Files and volumes first: a kubelet that does not find them retries only after half a second.
  const syncBoth = async (isIncluded: (child: KubeObject) => boolean) => {
    const others = await sync((child) => child.kind !== 'Pod' && isIncluded(child));
    const pods = await sync((child) => child.kind === 'Pod' && isIncluded(child));
    return {
      isSettled: others.pending.length === 0 && pods.pending.length === 0,
      failure: [...others.refused, ...pods.refused][0],
    };
  };
  const chain = await syncBoth((child) => !isOfPlugin(child));
  const plugins = await syncBoth(isOfPlugin);
  const isEnding = observed.some((child) => ['ended', 'ending'].includes(standingOf(child)));
  const isSettled = chain.isSettled && plugins.isSettled && !isEnding;
  return { isSettled, ...compact({ failure: chain.failure, pluginFailure: plugins.failure }) };
}

/**
 * - kept: it stays as it is
 * - mounted: a volume that goes with the pods that mount it; until then its data may still be wanted
 * - ended: a pod that has terminated, to be deleted and created again
 * - ending: it is created again once its deletion is over
 * - synced: created, changed or deleted, so that it is as desired
 */
type Standing = 'kept' | 'mounted' | 'ended' | 'ending' | 'synced';

/** What becomes of each child, by its identity. */
function classify({ desired, observed }: Children): (child: KubeObject) => Standing {
  const fixed = new Set(desired.filter(isFixed).map(identityOf));
  const mounted = new Set(observed.flatMap(claimsOf));
  const standings = new Map(
    observed.map((child) => {
      const identity = identityOf(child);
      const standing = standingOf(child, { isFixed: fixed.has(identity), isMounted: mounted.has(identity) });
      return [identity, standing];
    }),
  );
  return (child) => standings.get(identityOf(child)) ?? 'synced';
}

function standingOf(child: KubeObject, known: { isFixed: boolean; isMounted: boolean }): Standing {
  if (known.isFixed && isAlive(child)) return 'kept';
  if (known.isMounted) return 'mounted';
  if (!known.isFixed) return 'synced';
  return child.metadata.deletionTimestamp ? 'ending' : 'ended';
}

interface Acted {
  isSettled: boolean;
  /** Why a child could not be created. */
  failure?: ApplyFailure;
  /** The same of a child of a plugin, which does not concern the network. */
  pluginFailure?: ApplyFailure;
}

/** Deletes children whose network is gone, after a live read confirms that it no longer exists. */
export async function removeOrphans(kube: Kube, children: Stored<KubeObject>[]): Promise<void> {
  for (const child of children) {
    const { namespace } = child.metadata;
    const owner = child.metadata.ownerReferences?.find(({ kind }) => kind === networkType.kind);
    if (!owner) continue;
    try {
      const live = await kube.get(networkType, { ...compact({ namespace }), name: owner.name });
      const isOurs = ownedBy({ metadata: { uid: owner.uid, ...compact({ namespace }) } });
      if (live?.metadata.uid !== owner.uid) await pruneChild(kube, child, { isOurs });
    } catch (error) {
      // Outside the namespaces of workspaces, where somebody copied a child with its owner.
      if (!isAppError(error, 'Forbidden')) throw error;
    }
  }
}

/** The identities of the volumes that a pod mounts. */
function claimsOf(child: KubeObject): string[] {
  if (child.kind !== podType.kind) return [];
  const claims = ((child as Pod).spec.volumes ?? []).map(
    ({ persistentVolumeClaim: claim }) => claim?.claimName,
  );
  return claims
    .filter((name) => name !== undefined)
    .map((name) => `${persistentVolumeClaimType.kind}/${name}`);
}

/** Whether an object keeps its content once it exists. */
function isFixed(child: KubeObject): boolean {
  return isImmutable(child) || child.kind === 'PersistentVolumeClaim';
}

function isAlive(child: KubeObject): boolean {
  if (child.metadata.deletionTimestamp) return false;
  return child.kind !== 'Pod' || podStateOf(child as Pod).phase !== 'dead';
}

function identityOf({ kind, metadata }: KubeObject): string {
  return `${kind}/${metadata.name}`;
}
