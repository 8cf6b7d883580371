import type { AddressInfo } from 'node:net';
import { createRpcGateway } from '../../apiserver/gateway/gateway.ts';
import { gatewayMetricTable } from '../../apiserver/gateway/metrics.ts';
import { createUpstreamLookup } from '../../apiserver/gateway/proxy/upstreams.ts';
import { createNetworkLookup } from '../../apiserver/gateway/wake/networks.ts';
import { createMainServer } from '../../apiserver/server.ts';
import { accessKeyOf } from '../../core/accounts/accessKeys.ts';
import { labels } from '../../core/api/names.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import { asStored } from '../../core/api/testing/stored.ts';
import { createStore } from '../../core/kube/cache/store.ts';
import type { Stored } from '../../core/kube/kube.ts';
import type { EndpointSlice, Service } from '../../core/kube/types.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { createLog } from '../../core/lib/log.ts';
import { createMetrics } from '../../core/lib/metrics.ts';
import { rotatedAccessKeys } from '../../core/networks/accessEpochs.ts';
import { serviceIndexes, sliceIndexes } from '../../core/networks/engineSlices.ts';
import { keyScopesOf } from '../../core/networks/keyScopes.ts';

/**
 * Runs the main server with the gateway in its own process in front of the node on the given port, and prints the URL.
 * Networks and addresses are looked up as in an installation, in caches that are filled here.
 */
const uid = '7c2f0b54-4a1e-4d0e-9d59-3f3a1f0c2b11';
const namespace = 'bench';
const key = Buffer.alloc(32, 7);
const accessKeys = { currentId: 'k1', keys: new Map([['k1', key]]) };

const ownedBy = (kind: string, owner: string) => [
  { apiVersion: 'v1', kind, name: owner, uid: owner, controller: true },
];
const byUid = {
  uid: ({ metadata }: Stored<NetworkResource>) => [metadata.uid],
  anyId: ({ metadata }: Stored<NetworkResource>) => [metadata.uid],
};
const onChange = () => () => undefined;
const networks = { ...createStore(byUid), onChange };
const services = { ...createStore<Stored<Service>>(serviceIndexes), onChange };
const slices = { ...createStore<Stored<EndpointSlice>>(sliceIndexes), onChange };

const network = asStored({
  ...aNetwork({ name: 'bench', metadata: { uid, namespace, generation: 1, labels: { [labels.id]: uid } } }),
  status: { state: 'Operational' as const, observedGeneration: 1, accessKeys: rotatedAccessKeys(aNetwork()) },
});
networks.set(network);
const [scope] = keyScopesOf(network, accessKeys);
const accessKey = accessKeyOf(key, { scope, access: 'admin', epoch: 0 });
services.set(
  asStored<Service>({
    apiVersion: 'v1',
    kind: 'Service',
    spec: {},
    metadata: { name: 'bench', uid: 'service', namespace, ownerReferences: ownedBy('Network', uid) },
  }),
);
slices.set(
  asStored<EndpointSlice>({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    addressType: 'IPv4',
    metadata: { name: 'bench', namespace, ownerReferences: ownedBy('Service', 'service') },
    endpoints: [{ addresses: ['127.0.0.1'] }],
    ports: [{ name: 'rpc', port: Number(process.argv[2]) }],
  }),
);

const gateway = createRpcGateway({
  accessKeys,
  networks: createNetworkLookup(networks, accessKeys),
  upstreams: createUpstreamLookup({ networks, services, slices }),
  wake: () => undefined,
  activity: () => undefined,
  settings: { holdSeconds: 20, maxBodyBytes: 5 * 1024 * 1024 },
  clock: systemClock,
  log: createLog('bench'),
  metrics: createMetrics([gatewayMetricTable], { hasDefaults: true }),
});
const app = () => undefined;
const server = createMainServer({ app, gateway, isDraining: () => false });
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(`http://127.0.0.1:${port}/rpc/${uid}/${accessKey}/rpc`);
});
