import { hasId } from '../api/ids.ts';
import { hasParticipants } from '../api/resources/chainSpecs.ts';
import type { NetworkResource } from '../api/resources/network.ts';

/**
 * "Is this still the same chain?", answered in one place.
 *
 * An incarnation is one chain that a network has run: status.enclaveID names it, and changes whenever the chain's data
 * may have been lost. Whoever depends on a chain (a sender queue, a token's deployment, a recording, an endpoint)
 * stores the incarnation that it started on and checks here what happened to it.
 */

/** The incarnation that a network's status names; undefined before its first engine has started. */
export function incarnationOf(network: NetworkResource | undefined): string | undefined {
  return network?.status?.enclaveID;
}

/** What a caller stored about the chain that it started on. */
export interface KnownChain {
  /** Id of the network; without it, a network of the same name counts as the same. */
  networkID?: string | undefined;
  incarnation: string | undefined;
}

/**
 * - `deleted`: the network is gone, or another one has its name.
 * - `stopping`, `stopped`: the network is not persistent, so the chain's data is going, or gone.
 * - `current`: the network's status names this incarnation.
 * - `replaced`: the network runs another chain; this one is gone.
 * - `unverified`: the network runs under another incarnation, and may have the data: it is persistent, began from a
 *   snapshot, or has nodes that restore the chain from each other. The chain itself must be queried.
 * - `unknown`: the network is not running, and which chain it will run is not known yet.
 */
export type ChainStanding =
  | 'deleted'
  | 'stopping'
  | 'stopped'
  | 'current'
  | 'replaced'
  | 'unverified'
  | 'unknown';

/** The standing of a known chain according to the network's status. The first rule that applies decides. */
export function chainStanding(network: NetworkResource | undefined, known: KnownChain): ChainStanding {
  if (!isPresent(network, known.networkID)) return 'deleted';
  const { state } = network.status ?? {};
  if (state === 'Stopping' && !isPersistent(network)) return 'stopping';
  if (state === 'Stopped' && !isPersistent(network)) return 'stopped';
  const incarnation = incarnationOf(network);
  if (incarnation !== undefined && incarnation === known.incarnation) return 'current';
  if (state !== 'Operational' || incarnation === undefined) return 'unknown';
  return mayHaveKept(network, known.incarnation) ? 'unverified' : 'replaced';
}

/** Whether a network that runs another incarnation may have the data of this one. */
function mayHaveKept(network: NetworkResource, incarnation: string | undefined): boolean {
  const { from, previousChain } = network.status ?? {};
  // A snapshot may have what was on a chain that has ended.
  if (from) return true;
  if (incarnation !== undefined && previousChain?.enclaveID === incarnation) return false;
  return isPersistent(network) || hasParticipants(network.spec.chain);
}

function isPersistent({ spec, status }: NetworkResource): boolean {
  return spec.persistent === true || status?.persistentUntil !== undefined;
}

/** Whether the network exists, is not being deleted, and has this id when one is given. */
export function isPresent(network: NetworkResource | undefined, id?: string): network is NetworkResource {
  if (!network || network.metadata.deletionTimestamp !== undefined) return false;
  return id === undefined || hasId(network, id);
}

/** Whether the network's status names this incarnation, whatever state the network is in. */
export function isSameIncarnation(network: NetworkResource | undefined, known: string | undefined): boolean {
  return incarnationOf(network) === known;
}

/** Whether the network is running and its status names its chain: only then can the chain be used. */
export function isRunning(network: NetworkResource | undefined): boolean {
  return network?.status?.state === 'Operational' && incarnationOf(network) !== undefined;
}
