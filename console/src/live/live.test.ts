import type { Network } from '../../../sdk/src/generated/types.ts';
import type { StreamedEvent } from '../../../sdk/src/streams/events.ts';
import { createLive } from './live.ts';

function aNetwork(name: string, state: string, rev = 1): Network {
  return {
    ...{ kind: 'Network', version: 'v1alpha', id: `id-of-${name}`, name },
    ...{ metadata: { name, rev }, spec: { chain: { type: 'Ethereum' } }, status: { state } },
  };
}

let count = 0;
function event(type: string, object?: Network): StreamedEvent {
  count += 1;
  const id = `event-${count}`;
  return {
    ...{ id, type, createdAt: '2030-01-01T00:00:00Z', workspace: 'one', lastEventId: id },
    ...(object ? { object: { ...object } } : {}),
  };
}

let live: ReturnType<typeof createLive>;
beforeEach(() => {
  live = createLive();
});
const states = () => [...live.view().networks.values()].map(({ name, status }) => `${name} ${status?.state}`);
const tell = (...events: StreamedEvent[]) => events.forEach(live.apply);

test('what exists comes first, then changes', () => {
  tell(event('network.present', aNetwork('a', 'Stopped')));
  expect(live.view().isComplete).toBe(false);
  tell(event('stream.ready'), event('network.created', aNetwork('b', 'Pending')));
  tell(event('network.operational', aNetwork('b', 'Operational')));
  expect(live.view().isComplete).toBe(true);
  expect(states()).toEqual(['a Stopped', 'b Operational']);
  tell(event('network.deleted', aNetwork('a', 'Stopped')));
  expect(states()).toEqual(['b Operational']);
});

test('each change has a new view, so that pages show it', () => {
  const before = live.view();
  tell(event('network.present', aNetwork('a', 'Stopped')));
  expect(live.view().revision).toBeGreaterThan(before.revision);
  expect(live.view()).not.toBe(before);
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
  expect(live.view().networks.get('id-of-a')?.metadata.rev).toBe(2);
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
  const types = live
    .view()
    .activity.get('id-of-a')
    ?.map(({ type }) => type);
  expect(types).toEqual(['network.stopped', 'network.operational']);
});
