import { apiGroup } from '../../core/api/names.ts';
import type { KubeObject, Stored } from '../../core/api/resources/kubeObject.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import { versionOf } from '../../core/kube/objects.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { withDeadline } from '../../core/lib/deadline.ts';
import type { Log } from '../../core/lib/log.ts';
import type { Caches } from './caches.ts';
import { createCatchUpIn } from './catchUpIn.ts';
import type { Store } from './kubeErrors.ts';
import { notingKube, outcomeUnknown, type Watched, type WatchedOf, type Writes } from './notingKube.ts';
import { createPresence, createQuestion, limitMs, persist } from './question.ts';
import { checkRecent, listedSince, untilReached } from './untilReached.ts';
import type { Written } from './written.ts';

/** What a replica has acknowledged shows in what any replica reads after that. */
export interface ReadsAfterWrites {
  /** A cache that requests are answered from: `always`, or where they read its kind. Call it before the cache starts. */
  follow(cache: Watched, who?: 'always'): void;
  /** The same cluster: what is written here is noted. */
  noting<K extends Writes>(kube: K): K;
  /** Resolves when a cache shows what this replica has written. Rejects with Unavailable if it cannot. */
  reached(cache: Watched): Promise<void>;
  /** Notes an object that an answer shows, whoever wrote it. */
  note(object: Stored<KubeObject>): void;
  /**
   * Resolves when the caches of these kinds (all if absent), and those that are followed always, show everything that any
   * replica acknowledged before the call, and what this one wrote. Rejects with Unavailable if they cannot. While
   * kube-apiserver does not answer, nobody can write, so they do, unless they have not heard of it for too long.
   */
  catchUp(kinds?: readonly string[]): Promise<void>;
  /** The same for a kind whose writes are not published, and a namespace. */
  catchUpIn<T extends KubeObject>(
    kube: Pick<Store, 'list'>,
    cache: Reflector<T>,
  ): (namespace: string) => Promise<void>;
  /**
   * Resolves when every replica can know of what was noted before. Call it before a write is answered. Rejects with
   * Unavailable, and isOutcomeUnknown, if that cannot be made known.
   */
  acknowledge(): Promise<void>;
}

export interface ReadsAfterWritesOptions {
  written: Written;
  clock: Clock;
  log: Log;
}

export function createReadsAfterWrites({ written, clock, log }: ReadsAfterWritesOptions): ReadsAfterWrites {
  const followed = new Map<string, Watched>();
  const needed = new Set<string>();
  const watchedOf: WatchedOf = ({ group, kind }) => (group === apiGroup ? followed.get(kind) : undefined);
  const presence = createPresence();
  const ask = createQuestion({ clock, log, presence }, () => written.read().then(() => true));

  async function reached(cache: Watched): Promise<void> {
    const { kind } = cache.type;
    const version = written.known().get(kind) ?? 0n;
    if (cache.seenVersion() >= version) return;
    const claims = written.claims(kind);
    const isListed = listedSince(cache);
    await untilReached(cache, { clock }, () => cache.seenVersion() >= version || isListed());
    // A list is as new as the newest write: a version beyond it is of another history of the cluster.
    const seen = cache.seenVersion();
    if (seen < version) written.retract(kind, { claims, seen });
  }

  return {
    follow(cache, who) {
      followed.set(cache.type.kind, cache);
      if (who === 'always') needed.add(cache.type.kind);
    },
    noting: (kube) => notingKube(kube, { written, clock, watchedOf }),
    note(object) {
      const [group = ''] = object.apiVersion.split('/');
      if (watchedOf({ group, kind: object.kind })) written.note(object.kind, versionOf(object));
    },
    reached,
    async catchUp(kinds = [...followed.keys()]) {
      const hasAnswered = await ask('');
      const caches = [...followed.values()].filter(
        ({ type: { kind } }) => needed.has(kind) || kinds.includes(kind),
      );
      if (hasAnswered) await Promise.all(caches.map(reached));
      else for (const cache of caches) checkRecent(cache, clock);
    },
    catchUpIn: (kube, cache) => createCatchUpIn(cache, { kube, clock, log, presence }),
    acknowledge: () => publish(written, clock).catch(outcomeUnknown),
  };
}

async function publish(written: Written, clock: Clock): Promise<void> {
  const controller = new AbortController();
  let refusal: unknown;
  const onError = (error: unknown) => {
    refusal = error;
  };
  const onLate = () => {
    throw refusal ?? new Error('kube-apiserver does not answer');
  };
  try {
    const published = persist({ clock, signal: controller.signal, onError }, written.publish);
    await withDeadline({ clock, limitMs, onLate }, published);
  } finally {
    controller.abort();
  }
}

/** Of the caches that requests are answered from, those of Slipway's own kinds whose writes are published. */
export function followCaches({ follow }: Pick<ReadsAfterWrites, 'follow'>, caches: Caches): void {
  const { services: _, slices: __, outboxes: ___, ...own } = caches;
  for (const cache of Object.values(own)) follow(cache);
}
