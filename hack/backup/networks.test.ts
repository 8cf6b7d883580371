import type { NetworkStatus } from '../../core/api/resources/networkStatus.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import { fateOf, waiting, withNewChain } from './networks.ts';

const incarnation = { number: 3, members: {}, revision: 2, losses: 1, startedAt: '2026-01-01T00:00:00Z' };
const running: NetworkStatus = { state: 'Operational', enclaveID: 'former', storage: 'Volume', incarnation };
const network = (status: NetworkStatus, spec = {}) => {
  const { spec: usual } = aNetwork();
  return { status, spec: { ...usual, persistent: true, ...spec } };
};

it.each([
  ['its volume is in the backup', network(running), true, 'kept'],
  ['its volume is not in the backup', network(running), false, 'new chain'],
  [
    'its nodes have keys that follow from its id',
    network({ ...running, engineKey: { incarnation: 'i', id: 'k1' } }),
    true,
    'new chain',
  ],
  ['its data was in its pod', network({ ...running, storage: 'Pod' }), true, 'new chain'],
  ['its chain never started', network({ state: 'Pending' }), false, 'no chain'],
  [
    'it stopped, and its data ended',
    network({ ...running, state: 'Stopped' }, { persistent: false }),
    false,
    'no chain',
  ],
  ['it stopped, and kept its data', network({ ...running, state: 'Stopped' }), true, 'kept'],
])('what becomes of a chain: %s', (_why, one, isSaved, fate) => {
  expect(fateOf(one, isSaved)).toBe(fate);
});

it('a new chain is one that never was, and the status says that the former one ended', () => {
  expect(withNewChain({ status: running }, '2026-02-01T00:00:00Z')).toMatchObject({
    state: 'Pending',
    storage: undefined,
    incarnation: { number: 4, revision: 0, members: {} },
    previousChain: { enclaveID: 'former', endedAt: '2026-02-01T00:00:00Z' },
  });
});

it.each(['Operational', 'Stopped'] as const)(
  'a chain that was %s runs on from a copy of its volume, which has another uid',
  (state) => {
    const status = {
      ...running,
      state,
      incarnation: { ...incarnation, volume: 'v-1', copies: { 'el-1': 'v-1' } },
    };
    expect({ ...status, ...waiting(status) }).toMatchObject({ incarnation: { number: 3, losses: 1 } });
    for (const member of ['volume', 'copies']) {
      expect(waiting(status).incarnation).not.toHaveProperty(member);
      expect(withNewChain({ status }, 'now').incarnation).not.toHaveProperty(member);
    }
  },
);

it('a stopped network stays stopped', () => {
  expect(withNewChain({ status: { ...running, state: 'Stopped' } }, 'now')).toMatchObject({
    state: 'Stopped',
  });
});
