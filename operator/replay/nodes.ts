import { findById } from '../../core/api/ids.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { osakaGasCapOf } from '../../core/chains/evm/evmChains.ts';
import type { EvmRpc } from '../../core/evm/rpc.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Stored } from '../../core/kube/kube.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { AppError } from '../../core/lib/errors.ts';
import type { Touch } from '../../core/networks/activity.ts';
import { chainStanding, incarnationOf, isSameIncarnation } from '../../core/networks/incarnation.ts';
import type { Node } from '../../core/outbox/sending/submitAs.ts';

/** A network that a replay sends to, and its node. */
interface Place {
  network: Stored<NetworkResource>;
  node: Node;
  /** Its node at the time of each call: another pod may take the place of the one that is there now. */
  rpc: EvmRpc;
}

/**
 * Gets a network of a namespace for use, by its id: wakes it if it is stopped, waits for at most holdSeconds, and counts as
 * activity. Unavailable if its node is not ready in time, NotFound if it is deleted.
 */
export type PlaceOf = (namespace: string, id: string, clock: Clock) => Promise<Place>;

export interface PlacesDeps {
  /** Requires the indexes of ids and uids. */
  networks: Pick<Reflector<NetworkResource>, 'byIndex'>;
  rpcOf(networkUid: string): EvmRpc | undefined;
  touch: Touch;
  holdSeconds: number;
}

const pollMs = 100;

export function createPlaces(deps: PlacesDeps): PlaceOf {
  const { networks, touch, holdSeconds } = deps;

  function present(namespace: string, id: string): Place | undefined {
    // One that another process has just created may not be in the cache yet.
    const network = findById(networks, namespace, id);
    if (!network) return undefined;
    touch(checked(network));
    const node = nodeAt(deps, network);
    return node && { network, node, rpc: following(deps, network, node) };
  }

  return async (namespace, id, clock) => {
    const endMs = clock.steadyMs() + holdSeconds * 1000;
    for (;;) {
      const place = present(namespace, id);
      if (place) return place;
      if (clock.steadyMs() >= endMs) throw findById(networks, namespace, id) ? starting() : deleted();
      await clock.sleep(pollMs);
    }
  };
}

/**
 * While there is no node, the last one answers that it cannot be reached. Nobody answers for a chain that is gone: another one has
 * none of its transactions, and that says nothing about them.
 */
function following(
  { networks, rpcOf }: Pick<PlacesDeps, 'networks' | 'rpcOf'>,
  { metadata: { uid } }: Stored<NetworkResource>,
  { incarnation, rpc: first }: Node,
): EvmRpc {
  let last = first;
  const present = () => {
    const standing = chainStanding(networks.byIndex('uid', uid)[0], { incarnation });
    if (standing === 'deleted') throw deleted();
    if (standing === 'replaced') throw newChain();
    last = rpcOf(uid) ?? last;
    return last;
  };
  return {
    call: async (method, params, options) => present().call(method, params, options),
    batch: async (calls, options) => present().batch(calls, options),
  };
}

/** Undefined while it does not run. */
function nodeAt({ networks, rpcOf }: PlacesDeps, network: Stored<NetworkResource>): Node | undefined {
  const { metadata, spec, status } = network;
  const incarnation = incarnationOf(network);
  const rpc = status?.state === 'Operational' ? rpcOf(metadata.uid) : undefined;
  const { chainID: chainId, instance: published } = status ?? {};
  if (!rpc || incarnation === undefined || chainId === undefined || !published) return undefined;
  const isCurrent = () => isSameIncarnation(networks.byIndex('uid', metadata.uid)[0], incarnation);
  return { rpc, incarnation, chainId, published, osakaGasCap: osakaGasCapOf(spec.chain.type), isCurrent };
}

/** Throws if it is of no use to wait for the network. */
function checked(network: Stored<NetworkResource>): Stored<NetworkResource> {
  if (network.metadata.deletionTimestamp) throw deleted();
  const { state, message } = network.status ?? {};
  if (state !== 'Error') return network;
  const reason = message ? `: ${message}` : '';
  throw new AppError('Unavailable', `the network is in state Error${reason}`, { retryAfterSeconds: 5 });
}

/** What was replayed so far is gone. */
export const newChain = () => new AppError('Conflict', 'the network began a new chain during the replay');
const deleted = () => new AppError('NotFound', 'the network was deleted');
const starting = () =>
  new AppError('Unavailable', 'the network is starting; retry', { retryAfterSeconds: 2 });
