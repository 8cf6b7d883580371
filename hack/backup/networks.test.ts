import type { NetworkStatus } from '../../core/api/resources/networkStatus.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import { asStored } from '../../core/api/testing/stored.ts';
import { chainMembersOf } from '../../core/networks/chainChange.ts';
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
  ['its volume is not in the backup', network(running), [], 'new chain'],
  [
    'one of its volumes is on storage that this cluster lacks',
    network(running),
    onDrivers('csi', 'x'),
    'new chain',
  ],
  ['its chain never started', network({ state: 'Pending' }), onDrivers('csi'), 'no chain'],
  ['its data ended when it stopped', network(stopped, false), [], 'no chain'],
  ['it stopped, and kept its data', network(stopped), onDrivers('csi'), 'kept'],
])('what becomes of a chain: %s', (_why, one, volumes, fate) => {
  expect(fatesOf({ objects: [one], volumes }, new Set(['csi'])).get(uid)).toBe(fate);
});

const restored = (status: NetworkStatus, fate: 'kept' | 'new chain') =>
  restoredStatus(network(status), fate, '2026-02-01T00:00:00Z');

it('a new chain is one that never was, and the status says that the former one ended', () => {
  const { storage, ...status } = restored(running, 'new chain');
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
  expect(restored(stopped, 'new chain').state).toBe('Stopped');
});
