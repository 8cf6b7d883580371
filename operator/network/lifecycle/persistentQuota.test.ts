import type { NetworkResource } from '../../../core/api/resources/network.ts';
import { waitsForPersistence } from '../../../core/api/rules/persistentQuota.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { decide } from '../decide/decide.ts';
import type { NetworkFacts } from '../decide/facts.ts';
import { eventsOf } from '../status/events.ts';
import { aNetwork, aPod, factsOf, nowMs, readyStatus } from '../testing/facts.ts';
import type { DesiredStatus } from './context.ts';
import { createPersistentQuota } from './persistentQuota.ts';

const hourMs = 3_600_000;

/** A persistent network, created at `minute`. `place` is the status of its Persistent condition. */
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

describe('slots for persistent networks', () => {
  const refusedOf = (all: Stored<NetworkResource>[], quota: number) => {
    const slots = createPersistentQuota(quota);
    return all
      .filter((network) => slots.refuse(network, all) !== undefined)
      .map(({ metadata }) => metadata.name);
  };

  it.each<[string, Stored<NetworkResource>[], string[]]>([
    ['the oldest', [persistent('c', 3), persistent('a', 1), persistent('b', 2)], ['c']],
    [
      'the first by name among networks created in the same second',
      [persistent('c', 1), persistent('b', 1), persistent('a', 1)],
      ['c'],
    ],
    [
      'networks that already have one, before older ones',
      [persistent('old', 1), persistent('b', 2, 'True'), persistent('c', 3, 'True')],
      ['old'],
    ],
  ])('go to %s', (_who, all, refused) => {
    expect(refusedOf(all, 2)).toEqual(refused);
  });

  it('are named without the networks that wait for one', () => {
    const all = [persistent('a', 1, 'True'), persistent('b', 2), persistent('c', 3)];
    const slots = createPersistentQuota(1);
    expect(all.map((network) => slots.refuse(network, all))).toEqual([
      undefined,
      expect.stringMatching(/^1 of 1 persistent networks of this workspace are in use: a; delete one/),
      expect.stringMatching(/^1 of 1 .* in use: a \(1 more wait for a place\); delete one/),
    ]);
  });

  it('are kept when the quota shrinks', () => {
    expect(refusedOf([persistent('a', 1, 'True'), persistent('b', 2, 'True')], 1)).toEqual([]);
  });

  it('are taken as soon as they are assigned, before the status shows it', () => {
    const slots = createPersistentQuota(1);
    const late = persistent('b', 1);
    expect(slots.refuse(late, [late])).toBeUndefined();
    const early = persistent('a', 1);
    expect(slots.refuse(early, [late, early])).toMatch(
      /^1 of 1 persistent networks .* in use: b; delete one/,
    );
  });

  it('become free when a network is no longer persistent, is being deleted, or no longer exists', () => {
    const slots = createPersistentQuota(1);
    const first = persistent('a', 1);
    const second = persistent('b', 2);
    expect(slots.refuse(first, [first, second])).toBeUndefined();
    const leaving = { ...first, metadata: { ...first.metadata, deletionTimestamp: '2030-01-01T01:00:00Z' } };
    expect(slots.refuse(second, [leaving, second])).toBeUndefined();
    expect(createPersistentQuota(1).refuse(second, [second])).toBeUndefined();
  });

  it('do not exist if the quota is 0, and the message says so', () => {
    const network = persistent('a', 1);
    expect(createPersistentQuota(0).refuse(network, [network])).toMatch(/quota.persistentNetworks is 0/);
  });
});

describe('a persistent network over the quota', () => {
  const quotaRefusal = '3 of 3 are in use';
  const network = { ...aNetwork(), spec: { ...aNetwork().spec, persistent: true } };
  const later = (facts: NetworkFacts, status: DesiredStatus, others: Partial<NetworkFacts> = {}) => ({
    ...facts,
    network: { ...facts.network, status },
    ...others,
  });

  it('does not start if it is new, and reports an Error with the usage and a reason', () => {
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
    expect(waitsForPersistence({ ...network, status: decision.status })).toBe(true);
    expect(eventsOf(network, decision.status)).toContainEqual(
      expect.objectContaining({ type: 'Warning', reason: 'QuotaExceeded' }),
    );
  });

  it('waits indefinitely, and starts once a slot is free', () => {
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

  it('continues without persistence if it has run before, and reports that', () => {
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
