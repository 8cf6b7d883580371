import type { Network, Submission } from '../../../sdk/src/generated/types.ts';
import type { StreamedEvent } from '../../../sdk/src/streams/events.ts';
import { maxNetworks } from './activity.ts';
import { createLive } from './live.ts';
import { maxClosed } from './objects.ts';

function aNetwork(name: string, state: string, rev = 1): Network {
  return {
    kind: 'Network',
    version: 'v1alpha',
    id: `id-of-${name}`,
    name,
    metadata: { name, rev },
    spec: { chain: { type: 'Ethereum' } },
    status: { state },
  };
}

function aTransaction(number: number, state: string): Submission {
  return {
    kind: 'Submission',
    version: 'v1alpha1',
    hash: `0x${number}`,
    network_id: 'n',
    state,
    from: '0x',
    nonce: number,
    accepted_at: '2030-01-01T00:00:00Z',
  };
}

let count = 0;
function event(type: string, object?: Network | Submission): StreamedEvent {
  count += 1;
  const id = `event-${count}`;
  return {
    id,
    type,
    createdAt: '2030-01-01T00:00:00Z',
    workspace: 'one',
    lastEventId: id,
    ...(object ? { object: { ...object } } : {}),
  };
}

let live: ReturnType<typeof createLive>;
beforeEach(() => {
  live = createLive();
});
const states = () =>
  [...live.views().network.objects.values()].map(({ name, status }) => `${name} ${status?.state}`);
const tell = (...events: StreamedEvent[]) => events.forEach(live.apply);

test('what exists comes first, then changes', () => {
  tell(event('network.present', aNetwork('a', 'Stopped')));
  expect(live.stream().isComplete).toBe(false);
  tell(event('stream.ready'), event('network.created', aNetwork('b', 'Pending')));
  tell(event('network.operational', aNetwork('b', 'Operational')));
  expect(live.stream().isComplete).toBe(true);
  expect(states()).toEqual(['a Stopped', 'b Operational']);
  tell(event('network.deleted', aNetwork('a', 'Stopped')));
  expect(states()).toEqual(['b Operational']);
});

test('each change has a new view of its kind alone, so that the pages of other kinds stay as they are', () => {
  const before = live.views();
  tell(event('network.present', aNetwork('a', 'Stopped')));
  expect(live.views().network.revision).toBeGreaterThan(before.network.revision);
  expect(live.views().network).not.toBe(before.network);
  expect(live.views().token).toBe(before.token);
});

test('after a gap, what was not sent again is gone, and stays visible until then', () => {
  tell(
    event('network.present', aNetwork('a', 'Stopped')),
    event('network.present', aNetwork('b', 'Stopped')),
  );
  tell(event('stream.ready'), event('stream.reset'), event('network.present', aNetwork('b', 'Error')));
  expect(states()).toEqual(['a Stopped', 'b Error']);
  tell(event('stream.ready'));
  expect(states()).toEqual(['b Error']);
});

test('an event from before a change that a request made does not undo it', () => {
  tell(event('network.present', aNetwork('a', 'Operational', 1)), event('stream.ready'));
  live.observe(aNetwork('a', 'Operational', 2));
  tell(event('network.status', aNetwork('a', 'Stopped', 1)));
  expect(live.views().network.objects.get('id-of-a')?.metadata.rev).toBe(2);
  tell(event('network.updated', aNetwork('a', 'Pending', 2)));
  expect(states()).toEqual(['a Pending']);
});

test('the answer of a request does not undo what events told since', () => {
  tell(event('network.present', aNetwork('a', 'Operational')), event('stream.ready'));
  tell(event('network.stopped', aNetwork('a', 'Stopped')));
  live.observe(aNetwork('a', 'Operational'));
  expect(states()).toEqual(['a Stopped']);
  tell(event('network.deleted', aNetwork('a', 'Stopped')));
  live.observe(aNetwork('a', 'Stopping', 2));
  expect(states()).toEqual([]);
});

test('what a request created is there before its event', () => {
  tell(event('stream.ready'));
  live.observe(aNetwork('new', 'Pending'));
  expect(states()).toEqual(['new Pending']);
});

test('activity is what happened, once, the newest first', () => {
  const operational = event('network.operational', aNetwork('a', 'Operational'));
  tell(event('network.present', aNetwork('a', 'Pending')), event('stream.ready'), operational, operational);
  tell(event('network.stopped', aNetwork('a', 'Stopped')));
  const types = live.activity.get('id-of-a')?.map(({ type }) => type);
  expect(types).toEqual(['network.stopped', 'network.operational']);
});

test('activity is kept of the networks to which something happened last', () => {
  tell(event('stream.ready'), event('network.created', aNetwork('kept', 'Pending')));
  for (let number = 0; number < maxNetworks; number += 1) {
    tell(event('network.created', aNetwork(`n${number}`, 'Pending')));
    tell(event('network.deleted', aNetwork(`n${number}`, 'Stopping')));
    if (number === 1) tell(event('network.operational', aNetwork('kept', 'Operational')));
  }
  expect(live.activity.size).toBe(maxNetworks);
  expect(live.activity.get('id-of-kept')).toHaveLength(2);
  expect(live.activity.has('id-of-n0')).toBe(false);
});

test('a connection that goes on where it was takes nothing away', () => {
  tell(event('network.present', aNetwork('a', 'Stopped')), event('stream.ready'));
  tell(event('network.created', aNetwork('b', 'Pending')), event('stream.ready'));
  expect(states()).toEqual(['a Stopped', 'b Pending']);
});

const transactions = () => [...live.views().transaction.objects.values()];

test('of what is settled only the newest is kept, and everything that is open', () => {
  tell(event('transaction.present', aTransaction(0, 'broadcast')), event('stream.ready'));
  for (let number = 1; number <= maxClosed + 1; number += 1) {
    tell(event('transaction.submitted', aTransaction(number, 'accepted')));
    tell(event('transaction.mined', aTransaction(number, 'mined')));
  }
  expect(transactions()).toHaveLength(maxClosed + 1);
  expect(transactions().map(({ nonce }) => nonce)).toEqual(expect.arrayContaining([0, 2, maxClosed + 1]));
});

test('after a gap, what is settled stays, although it is not sent again', () => {
  tell(event('transaction.present', aTransaction(1, 'accepted')), event('stream.ready'));
  tell(event('transaction.mined', aTransaction(1, 'mined')));
  tell(event('transaction.submitted', aTransaction(2, 'accepted')));
  tell(event('stream.reset'), event('stream.ready'));
  expect(transactions().map(({ state }) => state)).toEqual(['mined']);
});

test('what was undone and is submitted again is open, whatever is said of it later', () => {
  const again = { ...aTransaction(1, 'accepted'), accepted_at: '2030-01-01T00:00:01Z' };
  tell(event('transaction.submitted', aTransaction(1, 'accepted')), event('stream.ready'));
  tell(event('transaction.submitted', again), event('transaction.dropped', aTransaction(1, 'dropped')));
  expect(transactions()).toEqual([again]);
  tell(event('transaction.dropped', { ...again, state: 'dropped' }), event('transaction.submitted', again));
  tell(event('stream.reset'), event('stream.ready'));
  expect(transactions()).toEqual([]);
});

test('the same transaction on two networks is two', () => {
  tell(event('transaction.mined', aTransaction(1, 'mined')));
  tell(event('transaction.mined', { ...aTransaction(1, 'failed'), network_id: 'other' }));
  expect(transactions()).toHaveLength(2);
});

test('what it does not know, a later version of the service may send', () => {
  tell(event('moon.present', aNetwork('a', 'Full')), event('stream.ready'));
  live.observe({ kind: undefined });
  expect(live.stream().isComplete).toBe(true);
});
