import type { NetworkStatus } from '../../core/api/resources/networkStatus.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import { asStored } from '../../core/api/testing/stored.ts';
import { fatesOf, restoredStatus } from './networks.ts';

const incarnation = { number: 3, members: {}, revision: 2, losses: 1, startedAt: '2026-01-01T00:00:00Z' };
const running: NetworkStatus = { state: 'Operational', enclaveID: 'former', storage: 'Volume', incarnation };
const network = (status: NetworkStatus, spec = {}) =>
  asStored(aNetwork({ status, spec: { persistent: true, ...spec } }));
const { uid } = network(running).metadata;
const metadata = { name: 'data', namespace: 'ws' };
const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata, spec: {} };
const saved = [{ network: uid, driver: 'csi', handle: 'h', claim }];

it.each([
  ['its volume is in the backup', network(running), saved, 'kept'],
  ['its volume is not in the backup', network(running), [], 'new chain'],
  ['its nodes have keys', network({ ...running, engineKey: { incarnation: 'i', id: 'k1' } }), saved, 'kept'],
  ['its data was in its pod', network({ ...running, storage: 'Pod' }), saved, 'new chain'],
  ['its chain never started', network({ state: 'Pending' }), saved, 'no chain'],
  [
    'its data ended when it stopped',
    network({ ...running, state: 'Stopped' }, { persistent: false }),
    [],
    'no chain',
  ],
  ['it stopped, and kept its data', network({ ...running, state: 'Stopped' }), saved, 'kept'],
])('what becomes of a chain: %s', (_why, one, volumes, fate) => {
  expect(fatesOf([one], volumes).get(uid)).toBe(fate);
});

const restored = (status: NetworkStatus, fate: 'kept' | 'new chain') =>
  restoredStatus(network(status), new Map([[uid, fate]]), '2026-02-01T00:00:00Z');

it('a new chain is one that never was, and the status says that the former one ended', () => {
  const status = restored(running, 'new chain');
  expect(status).toMatchObject({ state: 'Pending', incarnation: { number: 4, revision: 0, members: {} } });
  expect(status.previousChain).toMatchObject({ enclaveID: 'former', endedAt: '2026-02-01T00:00:00Z' });
  for (const member of ['startedAt', 'losses']) expect(status.incarnation).not.toHaveProperty(member);
  expect(status).not.toHaveProperty('storage');
});

it.each(['kept', 'new chain'] as const)('the uids of former volumes are forgotten: %s', (fate) => {
  const status = { ...running, incarnation: { ...incarnation, volume: 'v', copies: { 'el-1': 'v' } } };
  const { incarnation: now } = restored(status, fate);
  for (const member of ['volume', 'copies']) expect(now).not.toHaveProperty(member);
});

it.each([
  ['that of the network before it was restored', { ...running, origin: 'first' }, 'first'],
  ['its former uid', running, uid],
])('what names and keys of engines follow from stays: %s', (_what, status, origin) => {
  expect(restored(status, 'kept')).toMatchObject({ origin, incarnation: { number: 3, losses: 1 } });
});

it('a stopped network stays stopped', () => {
  expect(restored({ ...running, state: 'Stopped' }, 'new chain').state).toBe('Stopped');
});
