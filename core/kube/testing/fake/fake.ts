import { randomUUID } from 'node:crypto';
import { type Clock, systemClock, toRfc3339 } from '../../../lib/clock.ts';
import type { Kube, KubeObject, ResourceType, Stored } from '../../kube.ts';
import { createFakeFaults, type FakeFaults } from './fakeFaults.ts';
import { createFakeReads } from './fakeReads.ts';
import { prepareNew } from './fakeRules.ts';
import { createFakeStorage } from './fakeStorage.ts';
import { createFakeWatches } from './fakeWatch.ts';
import { clone, createFakeWrites, type FakeWriteOptions } from './fakeWrites.ts';

export interface FakeKubeOptions extends FakeWriteOptions {
  clock?: Clock;
}

/** A Kubernetes API in memory that passes the same conformance suite as the real one, with controls for tests. */
export interface FakeKube extends Kube, Pick<FakeFaults, 'requests' | 'failNext' | 'intercept'> {
  /** Stores an object unchanged, including status, without validation. */
  seed<T extends KubeObject>(type: ResourceType<T>, object: T): Stored<T>;
  /** Compacts past writes: older watches and pages end with 410. */
  compact(): void;
  /** Sends a bookmark to all watches. */
  bookmark(): void;
  /** Ends all watches, as the server does after some minutes, or with an error. */
  endWatches(error?: Error): void;
  watchCount(): number;
}

/** An empty fake. */
export function createFakeKube(options: FakeKubeOptions = {}): FakeKube {
  const clock = options.clock ?? systemClock;
  const storage = createFakeStorage();
  const faults = createFakeFaults();
  const watches = createFakeWatches(storage);
  const reads = createFakeReads({ storage, watches, faults });
  const context = { storage, clock, options };
  return {
    ...reads.kube,
    ...createFakeWrites(context, faults),
    serverTimeMs: async () => clock.nowMs(),
    requests: faults.requests,
    failNext: faults.failNext,
    intercept: faults.intercept,
    seed(type, object) {
      const set = { uid: object.metadata.uid ?? randomUUID(), now: toRfc3339(clock.nowMs()) };
      const { metadata } = prepareNew(type, object, set);
      const { resourceVersion: _, ...given } = object.metadata;
      const whole = { ...structuredClone(object), metadata: { ...metadata, ...structuredClone(given) } };
      return clone(storage.put({ type, object: whole, owners: new Map() })) as Stored<typeof object>;
    },
    compact() {
      storage.compact();
      reads.expirePages();
    },
    bookmark: () => watches.send({ type: 'BOOKMARK', resourceVersion: String(storage.version()) }),
    endWatches: (error) => watches.send(error ? { type: 'FAIL', error } : { type: 'END' }),
    watchCount: watches.count,
  };
}
