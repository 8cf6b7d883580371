import type { Network, Snapshot, Submission } from '../../../../sdk/src/generated/types.ts';
import { historyOf } from './history.ts';

const at = (minute: number) => `2031-01-31T10:${String(minute).padStart(2, '0')}:00Z`;

const network: Network = {
  kind: 'Network',
  version: 'v1alpha',
  id: 'n',
  name: 'my-net',
  metadata: { name: 'my-net', createdAt: at(0) },
  spec: { chain: { type: 'Ethereum' } },
  status: {
    lastWakeUpAt: at(5),
    lastStoppedAt: at(4),
    incarnation: { number: 1, members: {}, revision: 0, startedAt: at(3) },
    previousChain: { enclaveID: 'e', lastBlock: 7, endedAt: at(2), reason: 'the state was reset' },
  },
};
const submission: Submission = {
  kind: 'Submission',
  version: 'v1alpha1',
  hash: '0xaa',
  network_id: 'n',
  state: 'mined',
  from: '0xbb',
  nonce: 1,
  accepted_at: at(5),
  settled_at: at(6),
  block: 3,
};
const snapshot: Snapshot = {
  kind: 'Snapshot',
  version: 'v1alpha',
  id: 's',
  name: 's1',
  metadata: { name: 's1' },
  spec: { network: 'my-net' },
  status: { state: 'Ready', networkID: 'n', takenAt: at(7), block: 3 },
};
const nothing = { live: [], submissions: [], snapshots: [] };

test('what a network keeps of its past is there without having looked, the newest first', () => {
  const found = historyOf(network, { live: [], submissions: [submission], snapshots: [snapshot] });
  expect(found.map(({ at: time, title }) => [time, title])).toEqual([
    [at(7), 'Snapshot s1 was taken'],
    [at(6), 'Transaction in block 3'],
    [at(5), 'Started'],
    [at(4), 'Stopped'],
    [at(3), 'The chain began'],
    [at(2), 'The chain before ended at block 7'],
    [at(0), 'Created'],
  ]);
  expect(found.map(({ hash }) => hash)).toContain('0xaa');
});

test('events tell more than the status of what happened since the first of them', () => {
  const event = { id: 'e1', type: 'network.stopped', at: at(4), state: 'Stopped', message: 'unused' };
  const found = historyOf(network, { ...nothing, live: [event] });
  expect(found.map(({ title, text }) => [title, text])).toEqual([
    ['Stopped', 'unused'],
    ['The chain began', undefined],
    ['The chain before ended at block 7', 'the state was reset'],
    ['Created', undefined],
  ]);
});

test('snapshots of other networks and those that were not taken are left out', () => {
  const others = [
    { ...snapshot, status: { ...snapshot.status, networkID: 'other' } },
    { ...snapshot, status: { state: 'Pending', networkID: 'n' } },
  ];
  const titles = historyOf(network, { ...nothing, snapshots: others }).map(({ title }) => title);
  expect(titles.filter((title) => title.includes('Snapshot'))).toEqual([]);
});

test('a transaction that waits is at the time when it was accepted, with what it waits for', () => {
  const open = {
    ...submission,
    state: 'accepted',
    settled_at: undefined,
    block: undefined,
    message: 'nonce 0',
  };
  const [first, second] = historyOf(network, { ...nothing, submissions: [open] });
  expect([first?.title, second?.title].sort()).toEqual(['Started', 'Transaction']);
  expect(first?.at).toBe(at(5));
});
