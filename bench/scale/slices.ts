import { labels } from '../../core/api/names.ts';
import { createReflector } from '../../core/kube/cache/reflector.ts';
import type { Kube, Stored } from '../../core/kube/kube.ts';
import { endpointSliceType, type Service, serviceType } from '../../core/kube/types.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import type { StillChain } from './chain.ts';

/**
 * Instead of the controller of EndpointSlices, which is a part of kube-controller-manager: each Service has a node of `chain` behind it.
 * The pods that kwok runs have addresses that nobody answers at. Returns a function that stops it.
 */
export async function startSlices(kube: Kube, chain: StillChain): Promise<() => Promise<void>> {
  const services = createReflector({
    kube,
    type: serviceType,
    labelSelector: labels.network,
    log: silentLog,
    clock: systemClock,
  });
  const known = new Set<string>();
  services.onChange(({ type, object }) => {
    const { uid } = object.metadata;
    if (type !== 'set' || known.has(uid)) return;
    known.add(uid);
    chain
      .portFor(object.metadata.labels?.[labels.network] ?? '')
      .then((port) => kube.create(endpointSliceType, sliceOf(object, { host: chain.host, port })))
      .catch((error: unknown) => console.error(String(error)));
  });
  services.start();
  await services.whenSynced();
  return services.stop;
}

function sliceOf({ metadata, spec }: Stored<Service>, { host, port }: { host: string; port: number }) {
  const { namespace, name, uid } = metadata;
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    addressType: 'IPv4' as const,
    metadata: {
      namespace,
      name: `${name}-slice`,
      labels: { ...metadata.labels, 'kubernetes.io/service-name': name },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Service', name, uid }],
    },
    endpoints: [{ addresses: [host], conditions: { ready: true } }],
    ports: (spec.ports ?? []).map((one) => ({ name: one.name ?? '', protocol: 'TCP', port })),
  };
}
