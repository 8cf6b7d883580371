import { labels } from '../../../core/api/names.ts';
import { aNetwork } from '../../../core/api/testing/builders.ts';
import { asStored } from '../../../core/api/testing/stored.ts';
import type { Change } from '../../../core/kube/cache/reflector.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import type { EndpointSlice, Service } from '../../../core/kube/types.ts';
import { serviceIndexes, sliceIndexes } from '../../../core/networks/engineSlices.ts';
import { createUpstreamLookup } from './upstreams.ts';

type Endpoints = EndpointSlice['endpoints'];

interface Whose {
  name?: string;
  /** The network in its label, and in the owner of its Service. */
  uid?: string;
  namespace?: string;
  /** The uid of its Service. */
  service?: string;
}

const owner = (kind: string, uid: string) => [{ apiVersion: 'v1', kind, name: uid, uid, controller: true }];

function aService(uid: string, namespace = 'n', name = `service-${uid}`): Stored<Service> {
  const metadata = { name, uid: name, namespace, labels: { [labels.network]: uid } };
  return asStored({
    apiVersion: 'v1',
    kind: 'Service',
    spec: {},
    metadata: { ...metadata, ownerReferences: owner('Network', uid) },
  });
}

/** Not owned by the network whose label it has. */
function aForeignService(uid: string): Stored<Service> {
  const { metadata, ...content } = aService(uid, 'n', 'foreign');
  return { ...content, metadata: { ...metadata, ownerReferences: [] } };
}

function aSlice(endpoints: Endpoints, change: Partial<EndpointSlice> & Whose = {}) {
  const { name = 'slice', uid = 'u', namespace = 'n', service = `service-${uid}`, ...rest } = change;
  const slice: EndpointSlice = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name,
      namespace,
      labels: { [labels.network]: uid },
      ownerReferences: owner('Service', service),
    },
    addressType: 'IPv4',
    endpoints,
    ports: [
      { name: 'rpc', port: 8545 },
      { name: 'ws', port: 8546 },
    ],
    ...rest,
  };
  return asStored(slice);
}

function setUp(...first: Stored<EndpointSlice>[]) {
  const network = asStored(aNetwork({ name: 'x', metadata: { uid: 'u', namespace: 'n' } }));
  const services = [
    aService('u'),
    aService('other'),
    aForeignService('u'),
    aService('u', 'elsewhere', 'copied'),
  ];
  const slices = new Map(first.map((slice) => [slice.metadata.name, slice]));
  let tell: (change: Change<EndpointSlice>) => void = () => undefined;
  const lookup = createUpstreamLookup({
    networks: { byIndex: (_index, uid) => (uid === 'u' ? [network] : []) },
    services: {
      byIndex: (index, value) =>
        services.filter((service) => serviceIndexes[index as 'uid'](service).includes(value)),
      onChange: () => () => undefined,
    },
    slices: {
      byIndex: (_index, uid) =>
        [...slices.values()].filter((slice) => sliceIndexes.service(slice).includes(uid)),
      onChange(listener) {
        tell = listener;
        return () => undefined;
      },
    },
  });
  const emit = (change: Change<EndpointSlice>) => {
    if (change.type === 'set') slices.set(change.object.metadata.name, change.object);
    else slices.delete(change.object.metadata.name);
    tell(change);
  };
  const heard: string[] = [];
  const stop = lookup.onChange((uid) => heard.push(uid));
  return { lookup, heard, stop, emit };
}

const ready = (address: string) => ({ addresses: [address], conditions: { ready: true } });

const table: [
  string,
  Stored<EndpointSlice>[],
  string,
  ReturnType<ReturnType<typeof createUpstreamLookup>['find']>,
][] = [
  ['a ready pod', [aSlice([ready('10.0.0.1')])], 'rpc', { host: '10.0.0.1', port: 8545 }],
  ['another port of it', [aSlice([ready('10.0.0.1')])], 'ws', { host: '10.0.0.1', port: 8546 }],
  ['a port that it does not have', [aSlice([ready('10.0.0.1')])], 'graph', undefined],
  [
    'no condition means ready',
    [aSlice([{ addresses: ['10.0.0.1'] }])],
    'rpc',
    { host: '10.0.0.1', port: 8545 },
  ],
  [
    'a pod that is not ready',
    [aSlice([{ addresses: ['10.0.0.1'], conditions: { ready: false } }])],
    'rpc',
    undefined,
  ],
  [
    'the ready one of two',
    [aSlice([{ addresses: ['10.0.0.1'], conditions: { ready: false } }, ready('10.0.0.2')])],
    'rpc',
    { host: '10.0.0.2', port: 8545 },
  ],
  [
    'always the same one of several, so that filters stay with their node',
    [aSlice([ready('10.0.0.3')], { name: 'b' }), aSlice([ready('10.0.0.2')], { name: 'a' })],
    'rpc',
    { host: '10.0.0.2', port: 8545 },
  ],
  ['no endpoints', [aSlice([])], 'rpc', undefined],
  ['another network', [aSlice([ready('10.0.0.1')], { uid: 'other' })], 'rpc', undefined],
  [
    "not a slice in another namespace that has the network's label, whatever it claims to belong to",
    [
      aSlice([ready('10.0.0.1')], { name: 'forged', namespace: 'elsewhere' }),
      aSlice([ready('10.0.0.2')], { name: 'copied', namespace: 'elsewhere', service: 'copied' }),
    ],
    'rpc',
    undefined,
  ],
  [
    "not a slice of somebody else's Service that has the network's label",
    [aSlice([ready('10.0.0.1')], { service: 'foreign' })],
    'rpc',
    undefined,
  ],
];
it.each(table)('finds: %s', (_reason, slices, port, upstream) => {
  expect(setUp(...slices).lookup.find('u', port)).toEqual(upstream);
});

it('follows changes and reports them', () => {
  const { lookup, heard, stop, emit } = setUp();
  emit({ type: 'set', object: aSlice([ready('10.0.0.1')]) });
  expect(lookup.find('u', 'rpc')).toEqual({ host: '10.0.0.1', port: 8545 });
  emit({ type: 'set', object: aSlice([ready('10.0.0.9')]) });
  expect(lookup.find('u', 'rpc')).toEqual({ host: '10.0.0.9', port: 8545 });
  emit({ type: 'deleted', object: aSlice([]) });
  expect(lookup.find('u', 'rpc')).toBeUndefined();
  expect(heard).toEqual(['u', 'u', 'u']);
  stop();
  emit({ type: 'set', object: aSlice([]) });
  expect(heard).toHaveLength(3);
});

it('ignores slices of Services that belong to no network', () => {
  const { heard, emit } = setUp();
  emit({ type: 'set', object: aSlice([ready('10.0.0.1')], { service: 'foreign' }) });
  expect(heard).toEqual([]);
});
