import type { UpstreamLookup } from '../../../apiserver/gateway/deps.ts';
import { type ChainFamily, chainTypes, hasParticipants } from '../../../core/api/resources/chainSpecs.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import { isFork } from '../../../core/api/rules/forking.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { authorityOf } from '../../../core/lib/authority.ts';
import { AppError } from '../../../core/lib/errors.ts';
import {
  lightSubscription,
  type Subscription,
  subscriptions,
} from '../../../core/networks/heads/subscriptions.ts';
import { incarnationOf, isRunning } from '../../../core/networks/incarnation.ts';
import { profileOf } from '../../../core/networks/profiles.ts';
import type { NodeAddress } from './nodeReads.ts';

/** How the node of a network announces its blocks; undefined if it does not. */
export function subscriptionOf(network: Stored<NetworkResource>): Subscription | undefined {
  const { spec, status } = network;
  const family = familyOf(network);
  const isLight = !hasParticipants(spec.chain) && profileOf(spec.chain, status) !== 'real';
  return family === 'evm' && isLight ? lightSubscription : subscriptions[family];
}

/** A node that runs, found without waking it. */
export interface RunningNode extends NodeAddress {
  enclaveID: string;
}

export function familyOf({ spec }: Stored<NetworkResource>): ChainFamily {
  return chainTypes[spec.chain.type].family;
}

/** Throws Conflict for a network that does not run, and Unavailable while its node cannot be found. */
export function runningNode(
  upstreams: Pick<UpstreamLookup, 'find'>,
  network: Stored<NetworkResource>,
): RunningNode {
  const enclaveID = requireRunning(network);
  const rpcUrl = urlOf(upstreams, network, ['rpc']);
  if (rpcUrl === undefined) throw starting();
  const restUrl = urlOf(upstreams, network, ['rest']);
  return { network, enclaveID, rpcUrl, restUrl, isFork: mayFork(network) };
}

/** The engine that runs may still be that of an earlier spec. */
function mayFork({ spec, status, metadata }: Stored<NetworkResource>): boolean {
  return isFork(spec) || status?.observedGeneration !== metadata.generation;
}

/** The incarnation of a network that runs. Throws Conflict if it does not, or never does. */
export function requireRunning(network: Stored<NetworkResource>): string {
  if (familyOf(network) === 'layerzero') {
    throw new AppError('Conflict', 'a LayerZero network has no chain of its own: read those of its members');
  }
  const enclaveID = incarnationOf(network);
  if (!isRunning(network) || enclaveID === undefined) {
    const { state = 'Pending' } = network.status ?? {};
    throw new AppError(
      'Conflict',
      `the network is ${state}, and reading its chain does not start it: start it first`,
    );
  }
  return enclaveID;
}

const socketPorts = ['ws', 'rpc'];

/** Where the node of a network takes subscriptions; undefined while there is none. */
export function socketUrl(
  upstreams: Pick<UpstreamLookup, 'find'>,
  network: Stored<NetworkResource>,
): string | undefined {
  const url = urlOf(upstreams, network, socketPorts)?.replace(/^http/, 'ws');
  return url && familyOf(network) === 'thorchain' ? `${url}/websocket` : url;
}

function urlOf(
  upstreams: Pick<UpstreamLookup, 'find'>,
  { metadata }: Stored<NetworkResource>,
  ports: readonly string[],
): string | undefined {
  for (const port of ports) {
    const upstream = upstreams.find(metadata.uid, port);
    if (upstream) return `http://${authorityOf(upstream)}`;
  }
  return undefined;
}

function starting(): AppError {
  return new AppError('Unavailable', 'the node of the network is starting; retry', { retryAfterSeconds: 1 });
}
