import { labels } from '../../../core/api/names.ts';
import type { Reflector } from '../../../core/kube/cache/reflector.ts';
import type { EndpointSlice } from '../../../core/kube/types.ts';
import type { Upstream, UpstreamLookup } from '../deps.ts';

/** The label selector for EndpointSlices of networks. A slice has the labels of its Service. */
export const upstreamSelector = labels.network;

/** By network, then by the port's name. */
type Table = Map<string, Upstream>;

/**
 * Finds the pods behind the Services of networks in their EndpointSlices (discovery.k8s.io/v1). The cluster IP is not
 * used: kube-proxy may take seconds to program it, and a new network is called immediately.
 */
export function createUpstreamLookup(
  reflector: Pick<Reflector<EndpointSlice>, 'list' | 'onChange'>,
): UpstreamLookup {
  const slices = new Map<string, Map<string, EndpointSlice>>();
  const tables = new Map<string, Table>();
  const listeners = new Set<(networkUid: string) => void>();

  function put(slice: EndpointSlice, isThere: boolean): string | undefined {
    const { labels: found, namespace, name } = slice.metadata;
    const uid = found?.[labels.network];
    if (!uid) return undefined;
    const own = slices.get(uid) ?? new Map<string, EndpointSlice>();
    const key = `${namespace}/${name}`;
    if (isThere) own.set(key, slice);
    if (!isThere) own.delete(key);
    slices.set(uid, own);
    tables.set(uid, tableOf([...own.values()]));
    if (own.size === 0) {
      slices.delete(uid);
      tables.delete(uid);
    }
    return uid;
  }

  reflector.onChange((change) => {
    const uid = put(change.object, change.type === 'set');
    if (uid) for (const listener of [...listeners]) listener(uid);
  });
  for (const slice of reflector.list()) put(slice, true);

  return {
    find: (networkUid, port) => tables.get(networkUid)?.get(port),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** One ready address per port: the lowest, so that all replicas and calls reach the same node and its filters. */
function tableOf(slices: EndpointSlice[]): Table {
  const table: Table = new Map();
  for (const { endpoints, ports } of slices) {
    const host = lowestReadyAddress(endpoints ?? []);
    if (host === undefined) continue;
    for (const { name = '', port } of ports ?? []) {
      if (port && isLower(host, table.get(name))) table.set(name, { host, port });
    }
  }
  return table;
}

function isLower(host: string, known: Upstream | undefined): boolean {
  return !known || host < known.host;
}

function lowestReadyAddress(endpoints: NonNullable<EndpointSlice['endpoints']>): string | undefined {
  // An absent condition means ready.
  const ready = endpoints.filter(({ conditions }) => conditions?.ready !== false);
  return ready.flatMap(({ addresses }) => addresses).sort()[0];
}
