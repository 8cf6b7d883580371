import { labels } from '../../../core/api/names.ts';
import { asStored } from '../../../core/api/testing/stored.ts';
import type { Change } from '../../../core/kube/cache/reflector.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import type { EndpointSlice } from '../../../core/kube/types.ts';
import { createUpstreamLookup } from './upstreams.ts';

type Endpoints = EndpointSlice['endpoints'];

function aSlice(endpoints: Endpoints, change: Partial<EndpointSlice> & { name?: string; uid?: string } = {}) {
  const { name = 'slice', uid = 'u', ...rest } = change;
  const slice: EndpointSlice = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name, namespace: 'n', labels: { [labels.network]: uid } },
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
  let emit: (change: Change<EndpointSlice>) => void = () => undefined;
  const lookup = createUpstreamLookup({
    list: () => first,
    onChange(listener) {
      emit = listener;
      return () => undefined;
    },
  });
  const heard: string[] = [];
  const stop = lookup.onChange((uid) => heard.push(uid));
  return { lookup, heard, stop, emit: (change: Change<EndpointSlice>) => emit(change) };
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

it('ignores slices without a network', () => {
  const { metadata, ...content } = aSlice([ready('10.0.0.1')]);
  const { labels: _, ...unlabelled } = metadata;
  const { heard, emit } = setUp();
  emit({ type: 'set', object: { ...content, metadata: unlabelled } });
  expect(heard).toEqual([]);
});
