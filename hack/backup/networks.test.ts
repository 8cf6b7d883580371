import { labels } from '../../core/api/names.ts';
import type { NetworkStatus } from '../../core/api/resources/networkStatus.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import { asStored } from '../../core/api/testing/stored.ts';
import { chainMembersOf } from '../../core/networks/chainChange.ts';
import { engineIncarnationOf } from '../../operator/network/render/childNames.ts';
import { fatesOf, restoredStatus } from './networks.ts';

const incarnation = {
  number: 3,
  members: {},
  revision: 2,
  losses: 1,
  startedAt: '2026-01-01T00:00:00Z',
  volume: 'v',
  copies: { 'el-1': 'v' },
};
const running: NetworkStatus = { state: 'Operational', enclaveID: 'former', storage: 'Volume', incarnation };
const stopped: NetworkStatus = { ...running, state: 'Stopped' };
const network = (status: NetworkStatus, persistent = true) =>
  asStored(aNetwork({ status, spec: { persistent } }));
const { uid } = network(running).metadata;
const onDrivers = (...drivers: string[]) => drivers.map((driver) => ({ driver, network: uid, objects: [] }));

it.each([
  ['its volume is in the backup', network(running), onDrivers('csi'), 'kept'],
  ['its volume is not in the backup', network(running), [], 'new'],
  [
    'one of its volumes is on storage that this cluster lacks',
    network(running),
    onDrivers('csi', 'x'),
    'new',
  ],
  ['its chain never started', network({ state: 'Pending' }), onDrivers('csi'), 'none'],
  ['its data ended when it stopped', network(stopped, false), [], 'none'],
  ['it stopped, and kept its data', network(stopped), onDrivers('csi'), 'kept'],
])('what becomes of a chain: %s', (_why, one, volumes, fate) => {
  const storage = { drivers: new Set(['csi']), claims: [] };
  expect(fatesOf({ objects: [one], volumes }, storage).get(uid)?.chain).toBe(fate);
});

const inc = engineIncarnationOf(network(running));
const claim = (name: string, metadata: object = {}) =>
  asStored({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: `${name}-${inc}`, namespace: network(running).metadata.namespace, ...metadata },
    spec: {},
  });
const withVolumes = (volumes: object) =>
  network({ ...running, incarnation: { ...incarnation, copies: undefined, ...volumes } } as NetworkStatus);
const [el, cl] = [claim('a-el-1-data'), claim('a-cl-1-data')];
const plugin = claim('a-graph-data', { labels: { [labels.plugin]: 'graph' } });

it.each([
  ['its volume is there', network(running), [el], 'kept'],
  ['all of its volumes are', withVolumes({ volume: 'v w' }), [el, cl], 'kept'],
  ['one of them is gone', withVolumes({ volume: 'v w' }), [el, plugin], 'new'],
  ['one of its copies is gone', withVolumes({ copies: { 'el-1': 'v', 'cl-1': 'w' } }), [el], 'new'],
  ['only the volume of a plugin is there', network(running), [plugin], 'new'],
  ['its data was in its pod', network({ ...running, storage: 'Pod' }), [el], 'new'],
  ['it is in another namespace', network(running), [claim('a-el-1-data', { namespace: 'other' })], 'new'],
])('what becomes of a chain that the backup has no copy of: %s', (_why, one, claims, fate) => {
  const found = fatesOf({ objects: [one], volumes: [] }, { drivers: new Set(), claims }).get(uid);
  expect(found?.chain).toBe(fate);
});

const restored = (status: NetworkStatus, fate: 'kept' | 'new') =>
  restoredStatus(network(status), fate, '2026-02-01T00:00:00Z');

it('a new chain is one that never was, and the status says that the former one ended', () => {
  const { storage, ...status } = restored(running, 'new');
  expect(storage).toBeUndefined();
  expect(status).toMatchObject({ state: 'Pending', origin: uid });
  expect(status.incarnation).toEqual({ number: 4, revision: 0, members: chainMembersOf(aNetwork().spec) });
  expect(status.previousChain).toMatchObject({ enclaveID: 'former', endedAt: '2026-02-01T00:00:00Z' });
});

it('a kept chain goes on, but for the uids of its former volumes', () => {
  const { volume: _, copies: __, ...kept } = incarnation;
  expect(restored(running, 'kept')).toEqual({
    ...running,
    state: 'Pending',
    message: 'restored from a backup',
    origin: uid,
    incarnation: kept,
  });
});

it('a network that is restored again keeps what its names and keys follow from', () => {
  expect(restored({ ...running, origin: 'first' }, 'kept').origin).toBe('first');
});

it('a stopped network stays stopped', () => {
  expect(restored(stopped, 'new').state).toBe('Stopped');
});
