import { originOf } from '../../core/api/ids.ts';
import { controllerReferenceTo, type Stored } from '../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { NetworkStatus } from '../../core/api/resources/networkStatus.ts';
import { tokenType } from '../../core/api/resources/resources.ts';
import { type PersistentVolumeClaim, persistentVolumeClaimType } from '../../core/kube/types.ts';
import { hasChain } from '../../core/networks/chainChange.ts';
import { begin } from '../../operator/network/decide/chain.ts';
import type { Backup } from './collect.ts';
import { type AnyObject, isNetwork } from './objects.ts';
import { isWholeChain, ofChain } from './volumes.ts';

/** What the data of a network's chain does in a restore. */
export interface Fate {
  chain: 'none' | 'kept' | 'new';
  /** What is written so that it runs on: volumes from the backup, or only the owners of those that are there. */
  volumes: readonly AnyObject[];
}
/** By the former uids of networks. */
export type Fates = ReadonlyMap<string, Fate>;

/** What a cluster has of volumes: the drivers of its storage, and the claims that are free to be taken over. */
interface Storage {
  drivers: Pick<ReadonlySet<string>, 'has'>;
  claims: readonly Stored<PersistentVolumeClaim>[];
}

export function fatesOf(
  { objects, volumes }: Pick<Backup, 'objects' | 'volumes'>,
  { drivers, claims }: Storage,
): Fates {
  const fateOf = (network: Stored<NetworkResource>): Fate => {
    if (!hasChain(network) || network.spec.chain.type === 'LayerZero') return { chain: 'none', volumes: [] };
    const own = volumes.filter((volume) => volume.network === network.metadata.uid);
    // A network runs on from all of its volumes or from none.
    if (own.length > 0 && own.every(({ driver }) => drivers.has(driver))) {
      return { chain: 'kept', volumes: own.flatMap((volume) => volume.objects) };
    }
    const there = claims.filter(ofChain(network));
    if (!isWholeChain(network, there)) return { chain: 'new', volumes: [] };
    return { chain: 'kept', volumes: there.map((claim) => ownedClaim(network, claim)) };
  };
  return new Map(objects.filter(isNetwork).map((one) => [one.metadata.uid, fateOf(one)]));
}

function ownedClaim(
  network: Stored<NetworkResource>,
  { metadata: { name, namespace } }: PersistentVolumeClaim,
): AnyObject {
  const ownerReferences = [{ ...controllerReferenceTo(network), blockOwnerDeletion: true }];
  const { version, kind } = persistentVolumeClaimType;
  return { apiVersion: version, kind, metadata: { name, namespace, ownerReferences } };
}

/** An object as a restore writes it. */
export function restoredOf(object: Stored<AnyObject>, fates: Fates, takenAt: string): Stored<AnyObject> {
  if (!object.status) return object;
  if (isNetwork(object)) {
    const status = restoredStatus(object, fates.get(object.metadata.uid)?.chain, takenAt);
    return { ...object, status };
  }
  // What was deployed for a token is noted under its origin.
  const isToken = object.kind === tokenType.kind;
  return isToken ? { ...object, status: { ...object.status, origin: originOf(object) } } : object;
}

/** The status of a restored network, which has no pods yet and whose volumes may have other uids. */
export function restoredStatus(
  network: Stored<NetworkResource>,
  chain: Fate['chain'] | undefined,
  takenAt: string,
): NetworkStatus {
  const status = { ...network.status, origin: originOf(network) };
  const { state, incarnation } = status;
  if (!incarnation) return status;
  const { volume: _volume, copies: _copies, ...kept } = incarnation;
  const isDown = state === 'Stopped' || state === 'Stopping' || chain === 'none';
  const waiting = isDown ? {} : { state: 'Pending' as const, message: 'restored from a backup' };
  if (chain !== 'new') return { ...status, ...waiting, incarnation: kept };
  // As a reset leaves it: what depends on the former chain (transactions, tokens, recordings) learns that it ended.
  const { storage: _storage, ...others } = status;
  const facts = { network, nowMs: Date.parse(takenAt), answers: {} };
  return { ...others, ...waiting, ...begin(facts, 'the backup has no copy of its data') };
}
