import type { NetworkStatus } from '../api/resources/networkStatus.ts';
import type { OutboxBatch, OutboxResource, OutboxSpec } from '../api/resources/outbox.ts';
import { aNetwork, aRecording, aSecret, aSnapshot, aToken } from '../api/testing/builders.ts';
import { asStored } from '../api/testing/stored.ts';
import { packBatches } from '../outbox/batches.ts';
import { packResults } from '../outbox/results.ts';
import { createdAtOf, eventIdOf, writtenAt } from './eventId.ts';
import { eventsOf, presentEvents } from './eventsOf.ts';
import type { EventResource } from './objectEvent.ts';
import { trimForEvents } from './trimOutbox.ts';

const nothing = { get: () => undefined };
const typesOf = (before: EventResource | undefined, after: EventResource | undefined) =>
  eventsOf(before && asStored(before), after && asStored(after), nothing).map(({ type }) => type);

const network = (status: NetworkStatus = {}, metadata = {}) => aNetwork({ status, metadata });
const token = (state?: 'Deploying' | 'Deployed' | 'Error', message = '') =>
  aToken({ status: { deployments: state ? [{ network: 'my-network', state, message }] : [] } });

it.each<[string, EventResource | undefined, EventResource | undefined, string[]]>([
  ['a new network', undefined, network(), ['network.created']],
  ['a network that is gone', network(), undefined, ['network.deleted']],
  ['its first state, which REST showed before', network(), network({ state: 'Pending' }), []],
  ['its state', network({ state: 'Pending' }), network({ state: 'Operational' }), ['network.operational']],
  ['a failure', network({ state: 'Pending' }), network({ state: 'Error', message: 'no' }), ['network.error']],
  [
    'a step of its start',
    network({ state: 'Pending', execution: { currentStep: 1 } }),
    network({ state: 'Pending', execution: { currentStep: 2 } }),
    ['network.step'],
  ],
  [
    'its message',
    network({ state: 'Pending' }),
    network({ state: 'Pending', message: 'x' }),
    ['network.status'],
  ],
  [
    'the time of its last activity alone',
    network({ lastActivityAt: '2026-01-01T00:00:00Z' }),
    network({ lastActivityAt: '2026-01-01T00:01:00Z' }),
    [],
  ],
  ['its labels', network(), network({}, { labels: { team: 'a' } }), ['network.updated']],
  ["labels that are Slipway's own", network(), network({}, { labels: { 'slipway.dev/owner': 'a' } }), []],
  ['its spec', network({}, { generation: 1 }), network({}, { generation: 2 }), ['network.updated']],
  [
    'another network of the same name',
    network({}, { uid: 'one' }),
    network({}, { uid: 'two' }),
    ['network.deleted', 'network.created'],
  ],
  ['a deployment that begins', token(), token('Deploying'), ['token.deploying']],
  ['a deployment that is complete', token('Deploying'), token('Deployed'), ['token.deployed']],
  ['a deployment that failed', token('Deploying'), token('Error'), ['token.error']],
  ['the message of a deployment', token('Deploying'), token('Deploying', 'x'), ['token.status']],
  [
    'a recording that is complete',
    aRecording({ status: { state: 'recording' } }),
    aRecording({ status: { state: 'recorded' } }),
    ['recording.stopped'],
  ],
  [
    'progress of a recording',
    aRecording(),
    aRecording({ status: { transactions: 1 } }),
    ['recording.status'],
  ],
  ['a snapshot that is taken', aSnapshot(), aSnapshot({ status: { state: 'Ready' } }), ['snapshot.ready']],
  ['a snapshot that is not', aSnapshot(), aSnapshot({ status: { state: 'Failed' } }), ['snapshot.failed']],
  ['a new secret', undefined, aSecret(), ['secret.created']],
  ['nothing at all', aSecret(), aSecret(), []],
])('%s', (_change, before, after, expected) => {
  expect(typesOf(before, after)).toEqual(expected);
});

describe('transactions', () => {
  const hash = (digit: string) => digit.repeat(64);
  const batch = (id: string, more: Partial<OutboxBatch> = {}): OutboxBatch => ({
    id: id.repeat(16),
    first: 0,
    count: 1,
    hashes: hash(id),
    acceptedAt: '2026-01-01T00:00:00Z',
    ...more,
  });
  const outbox = (
    role: OutboxSpec['role'],
    batches: OutboxBatch[],
    { sent, name = 'q' }: { sent?: number; name?: string } = {},
  ) =>
    asStored<OutboxResource>({
      apiVersion: 'slipway.dev/v1alpha1',
      kind: 'Outbox',
      metadata: { namespace: 'a', name },
      spec: { role, networkID: 'n', incarnation: 'i', signer: '0x1', batches: packBatches(batches) },
      ...(sent === undefined ? {} : { status: { sent } }),
    });
  const seen = (...[before, after, find]: Parameters<typeof eventsOf>) =>
    eventsOf(before, after, find).map(({ type, transaction }) => `${type} ${transaction?.hash.slice(0, 3)}`);

  it('are submitted when the sender queue names them, and only then', () => {
    const before = outbox('queue', [batch('a')]);
    const after = outbox('queue', [batch('a'), batch('b', { first: 1 })]);
    expect(seen(before, after, nothing)).toEqual(['transaction.submitted 0xb']);
    expect(seen(after, outbox('queue', [batch('b')]), nothing)).toEqual([]);
  });

  it('of a large batch have their hashes in parts, which alone say nothing', () => {
    const part = outbox('bytes', [batch('a', { raw: 'xx' })], { name: 'part' });
    expect(seen(undefined, part, nothing)).toEqual([]);
    const { hashes: _, ...large } = batch('a', { parts: ['part'] });
    const find = { get: ({ name }: { name: string }) => (name === 'part' ? trimForEvents(part) : undefined) };
    expect(seen(undefined, outbox('queue', [large]), find)).toEqual(['transaction.submitted 0xa']);
  });

  it('are broadcast when the node has them', () => {
    const batches = [batch('a'), batch('b', { first: 1 })];
    const [before, after] = [outbox('queue', batches, { sent: 1 }), outbox('queue', batches, { sent: 2 })];
    expect(seen(before, after, nothing)).toEqual(['transaction.broadcast 0xb']);
  });

  it('are settled once, when the archive has them, whether or not the version before is trimmed', () => {
    const settled = (id: string, results: Parameters<typeof packResults>[0]) =>
      batch(id, { settledAt: '2026-01-01T00:00:09Z', results: packResults(results) });
    const one = settled('a', [{ state: 'mined', block: 1, gasUsed: 2 }]);
    const two = settled('b', [{ state: 'failed', block: 1, gasUsed: 2, reason: 'reverted' }]);
    const three = settled('c', [{ state: 'dropped', reason: 'lost' }]);
    const page = outbox('archive', [one]);
    expect(seen(undefined, page, nothing)).toEqual(['transaction.mined 0xa']);
    for (const before of [page, trimForEvents(page)]) {
      const types = seen(before, outbox('archive', [one, two, three]), nothing);
      expect(types).toEqual(['transaction.failed 0xb', 'transaction.dropped 0xc']);
    }
    expect(seen(page, undefined, nothing)).toEqual([]);
  });

  it('that are open are present', () => {
    const types = (role: OutboxSpec['role']) => presentEvents(outbox(role, [batch('a')]), nothing).length;
    expect([types('queue'), types('archive'), types('bytes')]).toEqual([1, 0, 0]);
  });
});

describe('the id of an event', () => {
  const event = (resourceVersion: string) => ({
    type: 'network.created' as const,
    resource: asStored(aNetwork({ metadata: { resourceVersion, uid: 'u' } })),
  });

  it('is the same for the same change, and another one for another', () => {
    const key = Buffer.from('key');
    expect(eventIdOf(key, event('7'))).toBe(eventIdOf(key, event('7')));
    expect(eventIdOf(key, event('7'))).not.toBe(eventIdOf(key, event('8')));
  });

  it('cannot be computed without the key, which would show revisions', () => {
    expect(eventIdOf(Buffer.from('a'), event('7'))).not.toBe(eventIdOf(Buffer.from('b'), event('7')));
  });
});

it('an event happened when its object was written last', () => {
  const metadata = {
    creationTimestamp: '2026-01-01T00:00:00Z',
    managedFields: [{ time: '2026-01-02T00:00:00Z' }],
  };
  expect(writtenAt({ name: 'a', ...metadata })).toBe('2026-01-02T00:00:00Z');
  const resource = asStored(aNetwork());
  expect(createdAtOf({ type: 'network.operational', resource }, 'then')).toBe('then');
  expect(createdAtOf({ type: 'network.created', resource }, 'then')).toBe(
    resource.metadata.creationTimestamp,
  );
});
