import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { decide } from '../decide/decide.ts';
import type { NetworkFacts } from '../decide/facts.ts';
import { eventsOf } from '../status/events.ts';
import { aNetwork, aPod, factsOf, nowMs, readyStatus } from '../testing/facts.ts';
import type { DesiredStatus } from './context.ts';
import { createPersistentQuota, isWaitingForQuota } from './persistentQuota.ts';

const hourMs = 3_600_000;

/** A persistent network; `minute` is when it was created, `place` what its status says of its place. */
function persistent(name: string, minute: number, place?: 'True' | 'False'): Stored<NetworkResource> {
  const condition = { type: 'Persistent', reason: 'r', message: '', lastTransitionTime: '' };
  const network = aNetwork();
  return {
    ...network,
    metadata: {
      ...network.metadata,
      name,
      uid: name,
      creationTimestamp: `2030-01-01T00:${String(minute).padStart(2, '0')}:00Z`,
    },
    spec: { ...network.spec, persistent: true },
    ...(place ? { status: { conditions: [{ ...condition, status: place }] } } : {}),
  };
}

describe('places for persistent networks', () => {
  const refusedOf = (all: Stored<NetworkResource>[], quota: number) => {
    const places = createPersistentQuota(quota);
    return all
      .filter((network) => places.refuse(network, all) !== undefined)
      .map(({ metadata }) => metadata.name);
  };

  it.each<[string, Stored<NetworkResource>[], string[]]>([
    ['the oldest', [persistent('c', 3), persistent('a', 1), persistent('b', 2)], ['c']],
    [
      'the first by name among those of one second',
      [persistent('c', 1), persistent('b', 1), persistent('a', 1)],
      ['c'],
    ],
    [
      'those that have one, also against older ones',
      [persistent('old', 1), persistent('b', 2, 'True'), persistent('c', 3, 'True')],
      ['old'],
    ],
  ])('go to %s', (_who, all, refused) => {
    expect(refusedOf(all, 2)).toEqual(refused);
  });

  it('are kept when the quota becomes smaller', () => {
    expect(refusedOf([persistent('a', 1, 'True'), persistent('b', 2, 'True')], 1)).toEqual([]);
  });

  it('are taken from the moment they are given, before any status tells of it', () => {
    const places = createPersistentQuota(1);
    const late = persistent('b', 1);
    expect(places.refuse(late, [late])).toBeUndefined();
    const early = persistent('a', 1);
    expect(places.refuse(early, [late, early])).toMatch(
      /^1 of 1 persistent networks .* in use: b; delete one/,
    );
  });

  it('become free when a network is no longer persistent, is being deleted, or is gone', () => {
    const places = createPersistentQuota(1);
    const first = persistent('a', 1);
    const second = persistent('b', 2);
    expect(places.refuse(first, [first, second])).toBeUndefined();
    const leaving = { ...first, metadata: { ...first.metadata, deletionTimestamp: '2030-01-01T01:00:00Z' } };
    expect(places.refuse(second, [leaving, second])).toBeUndefined();
    expect(createPersistentQuota(1).refuse(second, [second])).toBeUndefined();
  });

  it('cannot be had where the quota is 0, which is said in so many words', () => {
    const network = persistent('a', 1);
    expect(createPersistentQuota(0).refuse(network, [network])).toMatch(/quota.persistentNetworks is 0/);
  });
});

describe('a persistent network without a place', () => {
  const quotaRefusal = '3 of 3 are in use';
  const network = { ...aNetwork(), spec: { ...aNetwork().spec, persistent: true } };
  const later = (facts: NetworkFacts, status: DesiredStatus, others: Partial<NetworkFacts> = {}) => ({
    ...facts,
    network: { ...facts.network, status },
    ...others,
  });

  it('does not begin when it is new: Error, with the numbers and a reason', () => {
    const decision = decide(factsOf(network, { quotaRefusal }));
    expect(decision.children).toEqual([]);
    expect(decision.status).toMatchObject({
      state: 'Error',
      message: expect.stringContaining('3 of 3'),
      conditions: [
        { type: 'Ready', status: 'False', reason: 'QuotaExceeded' },
        { type: 'Persistent', status: 'False', reason: 'QuotaExceeded' },
      ],
    });
    expect(isWaitingForQuota({ ...network, status: decision.status })).toBe(true);
    expect(eventsOf(network, decision.status)).toContainEqual(
      expect.objectContaining({ type: 'Warning', reason: 'QuotaExceeded' }),
    );
  });

  it('waits for as long as it takes, and begins once there is one', () => {
    const facts = factsOf(network, { quotaRefusal });
    const waiting = later(facts, decide(facts).status, { nowMs: nowMs + 100 * hourMs });
    expect(decide(waiting).status.state).toBe('Error');
    const decision = decide({ ...waiting, quotaRefusal: undefined });
    expect(decision.status).toMatchObject({
      state: 'Pending',
      conditions: [{}, { type: 'Persistent', status: 'True' }],
    });
    expect(decision.children?.map(({ kind }) => kind)).toContain('PersistentVolumeClaim');
  });

  it('goes on when it has run before, as one that is not persistent, and says so', () => {
    const plain = factsOf(aNetwork(), { pods: [aPod(aNetwork(), readyStatus)] });
    const running = later(plain, decide(plain).status);
    const facts = {
      ...running,
      network: { ...running.network, spec: network.spec },
      quotaRefusal,
    };
    const decision = decide(facts);
    expect(decision.status).toMatchObject({
      state: 'Operational',
      message: `running; not persistent: ${quotaRefusal}`,
    });
    expect(decision.children?.map(({ kind }) => kind)).not.toContain('PersistentVolumeClaim');
    expect(eventsOf(facts.network, decision.status)).toMatchObject([{ reason: 'QuotaExceeded' }]);
    expect(eventsOf({ ...facts.network, status: decision.status }, decision.status)).toEqual([]);
    expect(decide({ ...facts, nowMs: nowMs + 25 * hourMs }).status.state).toBe('Stopping');
  });
});
