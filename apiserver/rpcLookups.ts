import { labels } from '../core/api/names.ts';
import type { NetworkResource } from '../core/api/network.ts';
import type { Reflector } from '../core/kube/reflector.ts';
import type { EndpointSlice } from '../core/kube/types.ts';
import type { Touch } from './networks/activity.ts';
import type { NetworkLookup, RpcNetwork, Upstream, UpstreamLookup } from './rpc/deps.ts';

/** Name of the index of networks by uid, and of endpoint slices by the uid of their network. */
export const networkIndex = 'network';

/** What the gateway reads and notes of networks, out of the cache. */
export function createNetworkLookup(networks: Reflector<NetworkResource>, uidIndex: string): NetworkLookup {
  return {
    find(uid) {
      const [network] = networks.byIndex(uidIndex, uid);
      return network && toRpcNetwork(network);
    },
    onChange: (listener) => networks.onChange(({ object }) => listener(object.metadata.uid ?? '')),
  };
}

/** Notes the use of a network that the gateway knows by its uid alone; of one that is stopped, this wakes it. */
export function createTouchById(networks: Reflector<NetworkResource>, uidIndex: string, touch: Touch) {
  return (uid: string): void => {
    for (const network of networks.byIndex(uidIndex, uid)) touch(network);
  };
}

/** Which network a slice belongs to: slices carry the labels of their Service. */
export function networksOfSlice(slice: EndpointSlice): string[] {
  const uid = slice.metadata.labels?.[labels.network];
  return uid === undefined ? [] : [uid];
}

/** Ready addresses of engines, out of the endpoint slices of the networks' Services. */
export function createUpstreamLookup(slices: Reflector<EndpointSlice>): UpstreamLookup {
  return {
    find(networkUid, port) {
      for (const slice of slices.byIndex(networkIndex, networkUid)) {
        const upstream = upstreamOf(slice, port);
        if (upstream) return upstream;
      }
      return undefined;
    },
    onChange: (listener) =>
      slices.onChange(({ object }) => {
        for (const uid of networksOfSlice(object)) listener(uid);
      }),
  };
}

function toRpcNetwork({ metadata, status }: NetworkResource): RpcNetwork {
  return {
    uid: metadata.uid ?? '',
    name: metadata.name,
    namespace: metadata.namespace ?? '',
    state: status?.state,
    ...(status?.message === undefined ? {} : { message: status.message }),
    isDeleting: metadata.deletionTimestamp !== undefined,
  };
}

function upstreamOf(slice: EndpointSlice, portName: string): Upstream | undefined {
  const port = slice.ports?.find(({ name }) => name === portName)?.port;
  const endpoint = slice.endpoints?.find(({ conditions }) => conditions?.ready !== false);
  const [host] = endpoint?.addresses ?? [];
  return port === undefined || host === undefined ? undefined : { host, port };
}
