import type { NetworkResource } from '../api/resources/network.ts';

/**
 * "Is this still the same chain?", answered in one place.
 *
 * An incarnation is one chain that a network has run: status.enclaveID names it, and changes whenever the chain's data
 * may have been lost. Whoever depends on a chain (a sender queue, a token's deployment, a recording, an endpoint)
 * keeps the incarnation that it began on, and asks here what has become of it.
 */

/** The incarnation that a network's status names; undefined before its first engine has started. */
export function incarnationOf(network: NetworkResource | undefined): string | undefined {
  return network?.status?.enclaveID;
}

/** What somebody remembers of the chain that they began on. */
export interface KnownChain {
  /** uid of the network; without it, a network of the same name counts as the same. */
  networkID?: string | undefined;
  incarnation: string | undefined;
}

/**
 * - `deleted`: the network is gone, or another one has its name.
 * - `stopping`, `stopped`: the network is not persistent, so the chain's data is going, or gone.
 * - `current`: the network's status names this incarnation.
 * - `replaced`: the network runs another chain; this one is gone.
 * - `unverified`: a persistent network runs under another incarnation and may have kept the data: the chain itself
 *   has to be asked.
 * - `unknown`: the network does not run, and nobody can tell yet what it will run.
 */
export type ChainStanding =
  | 'deleted'
  | 'stopping'
  | 'stopped'
  | 'current'
  | 'replaced'
  | 'unverified'
  | 'unknown';

/** What has become of a known chain, as the network's status has it. The first rule that applies decides. */
export function chainStanding(network: NetworkResource | undefined, known: KnownChain): ChainStanding {
  if (!isPresent(network, known.networkID)) return 'deleted';
  const { state } = network.status ?? {};
  const isPersistent = network.spec.persistent === true;
  if (state === 'Stopping' && !isPersistent) return 'stopping';
  if (state === 'Stopped' && !isPersistent) return 'stopped';
  const incarnation = incarnationOf(network);
  if (incarnation !== undefined && incarnation === known.incarnation) return 'current';
  if (state !== 'Operational' || incarnation === undefined) return 'unknown';
  return isPersistent ? 'unverified' : 'replaced';
}

/** Whether the network exists, is not being deleted, and has this uid when one is given. */
export function isPresent(network: NetworkResource | undefined, uid?: string): network is NetworkResource {
  if (!network || network.metadata.deletionTimestamp !== undefined) return false;
  return uid === undefined || network.metadata.uid === uid;
}

/** Whether the network's status names this incarnation, whatever state the network is in. */
export function isSameIncarnation(network: NetworkResource | undefined, known: string | undefined): boolean {
  return incarnationOf(network) === known;
}

/** Whether the network runs and its status names its chain: only then can the chain be used. */
export function isRunning(network: NetworkResource | undefined): boolean {
  return network?.status?.state === 'Operational' && incarnationOf(network) !== undefined;
}
