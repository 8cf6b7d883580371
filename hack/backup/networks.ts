import { originOf } from '../../core/api/ids.ts';
import type { Stored } from '../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { NetworkStatus } from '../../core/api/resources/networkStatus.ts';
import { tokenType } from '../../core/api/resources/resources.ts';
import { hasChain } from '../../core/networks/chainChange.ts';
import { begin } from '../../operator/network/decide/chain.ts';
import type { Backup } from './collect.ts';
import { type AnyObject, isNetwork } from './objects.ts';

/** What the data of a network's chain does in a restore. */
type Fate = 'no chain' | 'kept' | 'new chain';
export type Fates = ReadonlyMap<string, Fate>;

/** What happens to the chain of each network, by its former uid, in a cluster that has these drivers of storage. */
export function fatesOf(
  { objects, volumes }: Pick<Backup, 'objects' | 'volumes'>,
  drivers: Pick<ReadonlySet<string>, 'has'>,
): Fates {
  const fateOf = (network: Stored<NetworkResource>): Fate => {
    if (!hasChain(network) || network.spec.chain.type === 'LayerZero') return 'no chain';
    const own = volumes.filter((volume) => volume.network === network.metadata.uid);
    // A network runs on from all of its volumes or from none.
    return own.length > 0 && own.every(({ driver }) => drivers.has(driver)) ? 'kept' : 'new chain';
  };
  return new Map(objects.filter(isNetwork).map((one) => [one.metadata.uid, fateOf(one)]));
}

/** An object as a restore writes it. */
export function restoredOf(object: Stored<AnyObject>, fates: Fates, takenAt: string): Stored<AnyObject> {
  if (!object.status) return object;
  const fate = fates.get(object.metadata.uid);
  if (isNetwork(object)) return { ...object, status: restoredStatus(object, fate, takenAt) };
  // What was deployed for a token is noted under its origin.
  const isToken = object.kind === tokenType.kind;
  return isToken ? { ...object, status: { ...object.status, origin: originOf(object) } } : object;
}

/** The status of a restored network, which has no pods yet and whose volumes have other uids. */
export function restoredStatus(
  network: Stored<NetworkResource>,
  fate: Fate | undefined,
  takenAt: string,
): NetworkStatus {
  const status = { ...network.status, origin: originOf(network) };
  const { state, incarnation } = status;
  if (!incarnation) return status;
  const { volume: _volume, copies: _copies, ...kept } = incarnation;
  const isDown = state === 'Stopped' || state === 'Stopping' || fate === 'no chain';
  const waiting = isDown ? {} : { state: 'Pending' as const, message: 'restored from a backup' };
  if (fate !== 'new chain') return { ...status, ...waiting, incarnation: kept };
  // As a reset leaves it: what depends on the former chain (transactions, tokens, recordings) learns that it ended.
  const { storage: _storage, ...others } = status;
  const facts = { network, nowMs: Date.parse(takenAt), answers: {} };
  return { ...others, ...waiting, ...begin(facts, 'the backup has no copy of its data') };
}
