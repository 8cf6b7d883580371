import { apiGroup } from '../../core/api/names.ts';
import type { KubeObject, ResourceType, Stored } from '../../core/api/resources/kubeObject.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Kube, ObjectRef } from '../../core/kube/kube.ts';
import { versionOf } from '../../core/kube/objects.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { withDeadline } from '../../core/lib/deadline.ts';
import { AppError, messageOf } from '../../core/lib/errors.ts';
import type { Log } from '../../core/lib/log.ts';
import type { Caches } from './caches.ts';
import { forCaller, type Store } from './kubeErrors.ts';
import { liveMetadata } from './livePages.ts';
import { shareNext } from './shareNext.ts';
import type { Written } from './written.ts';

/** What is needed of a cache, whatever its objects are. */
interface Watched extends Pick<Reflector<never>, 'onProgress' | 'refresh' | 'seenVersion'> {
  type: Kind;
  get(ref: ObjectRef): Stored<KubeObject> | undefined;
  observe(object: Stored<KubeObject>): void;
}
type Kind = Pick<ResourceType, 'group' | 'kind'>;
/** The cache of a kind, if requests are answered from it. */
type WatchedOf = (kind: Kind) => Watched | undefined;
type Deletion = Parameters<Kube['delete']>;
type Writes = Pick<Kube, 'get' | 'create' | 'replace' | 'apply' | 'patch' | 'delete'>;

/** What a replica has acknowledged shows in what any replica reads after that. */
export interface ReadsAfterWrites {
  /** A cache that requests are answered from. Call it before the cache starts. */
  follow(cache: Watched): void;
  /** The same cluster: what is written here is noted. */
  noting<K extends Writes>(kube: K): K;
  /** Resolves when a cache shows what this replica has written. Rejects with Unavailable if it cannot. */
  reached(cache: Watched): Promise<void>;
  /** Notes an object that an answer shows, whoever wrote it. */
  note(object: Stored<KubeObject>): void;
  /**
   * Resolves when the caches show everything that any replica acknowledged before the call, and what this one wrote.
   * Rejects with Unavailable if they cannot. While kube-apiserver does not answer, nobody can write, so they do.
   */
  catchUp(): Promise<void>;
  /** Resolves when every replica can know of what was noted before. Call it before a write is answered. */
  acknowledge(): Promise<void>;
}

export interface ReadsAfterWritesOptions {
  written: Written;
  clock: Clock;
  log: Log;
}

/** If kube-apiserver hangs, requests are answered from the caches after this time. */
const questionMs = 2000;
/** A healthy watch is only milliseconds behind. After this time its kind is listed. */
const patienceMs = 500;
const behindMs = 5000;

export function createReadsAfterWrites(options: ReadsAfterWritesOptions): ReadsAfterWrites {
  const { written, clock } = options;
  const followed = new Map<string, Watched>();
  const watchedOf: WatchedOf = ({ group, kind }) => (group === apiGroup ? followed.get(kind) : undefined);
  const ask = createQuestion(options, () => written.read().then(() => true));

  async function reached(cache: Watched): Promise<void> {
    const version = written.known().get(cache.type.kind) ?? 0n;
    await untilReached(cache, clock, () => cache.seenVersion() >= version);
  }

  return {
    follow: (cache) => void followed.set(cache.type.kind, cache),
    noting: (kube) => noting(kube, options, watchedOf),
    note(object) {
      const [group = ''] = object.apiVersion.split('/');
      if (watchedOf({ group, kind: object.kind })) written.note(object.kind, versionOf(object));
    },
    reached,
    async catchUp() {
      if (await ask('')) await Promise.all([...followed.values()].map(reached));
    },
    acknowledge: () => forCaller(written.publish()),
  };
}

/**
 * For a kind whose writes are not published, because they have to be one write: resolves when the cache shows what is in
 * a namespace. Otherwise as `catchUp`.
 */
export function createCatchUpIn<T extends KubeObject>(
  cache: Reflector<T>,
  { kube, clock, log }: Pick<ReadsAfterWritesOptions, 'clock' | 'log'> & { kube: Pick<Store, 'list'> },
): (namespace: string) => Promise<void> {
  const ask = createQuestion({ clock, log }, async (namespace) => {
    let newest = 0n;
    for await (const metadata of liveMetadata(kube, cache.type, namespace)) {
      const version = versionOf({ metadata });
      if (version > newest) newest = version;
    }
    return newest;
  });
  return async (namespace) => {
    const newest = (await ask(namespace)) ?? 0n;
    await untilReached(cache, clock, () => cache.seenVersion() >= newest);
  };
}

/** Asks kube-apiserver; requests that come together share one question. Undefined if it does not answer. */
function createQuestion<T>(
  { clock, log }: Pick<ReadsAfterWritesOptions, 'clock' | 'log'>,
  read: (key: string) => Promise<T>,
): (key: string) => Promise<T | undefined> {
  const giveUp = (reason: string): undefined => {
    log.debug('answering only from the caches', { reason });
  };
  const onLate = () => giveUp('kube-apiserver does not answer');
  return shareNext((key) => {
    const answer = read(key).catch((error) => giveUp(messageOf(error)));
    return withDeadline({ clock, limitMs: questionMs, onLate }, answer);
  });
}

function noting<K extends Writes>(
  kube: K,
  { written, clock }: Pick<ReadsAfterWritesOptions, 'written' | 'clock'>,
  watchedOf: WatchedOf,
): K {
  async function noted<R extends Stored<KubeObject> | undefined>(type: Kind, answer: Promise<R>): Promise<R> {
    const object = await answer;
    const watched = watchedOf(type);
    if (!object || !watched) return object;
    // It is there even if kube-apiserver goes away before the watch shows it.
    watched.observe(object);
    written.note(type.kind, versionOf(object));
    return object;
  }

  /** No answer says the version of a deletion: the watch reports it. */
  async function remove(...deletion: Deletion): Promise<boolean> {
    const [type, ref, options] = deletion;
    const watched = watchedOf(type);
    if (!watched) return kube.delete(...deletion);
    const cached = watched.get(ref);
    const isMeant = cached && (options?.uid ?? cached.metadata.uid) === cached.metadata.uid;
    const target = isMeant ? cached : await kube.get(type, ref);
    const wasThere = await kube.delete(...deletion);
    if (target) await untilReached(watched, clock, () => isGone(watched, target));
    written.note(type.kind, watched.seenVersion());
    return wasThere;
  }

  return {
    ...kube,
    get: (type, ref) => noted(type, kube.get(type, ref)),
    create: (type, object) => noted(type, kube.create(type, object)),
    replace: (type, object, subresource) => noted(type, kube.replace(type, object, subresource)),
    apply: (type, object, options) => noted(type, kube.apply(type, object, options)),
    patch: (type, ref, ...change) => noted(type, kube.patch(type, ref, ...change)),
    delete: remove,
  };
}

/** Of the caches that requests are answered from, those of Slipway's own kinds whose writes are published. */
export function followCaches({ follow }: Pick<ReadsAfterWrites, 'follow'>, caches: Caches): void {
  const { services: _, slices: __, outboxes: ___, ...own } = caches;
  Object.values(own).forEach(follow);
}

/** Whether the watch has reported that an object was deleted, or is being deleted. */
function isGone({ get, seenVersion }: Watched, target: Stored<KubeObject>): boolean {
  if (seenVersion() < versionOf(target)) return false;
  const object = get(target.metadata);
  return object?.metadata.uid !== target.metadata.uid || object.metadata.deletionTimestamp !== undefined;
}

/** Waits for the watch, and lists again if that takes long. */
function untilReached(
  watched: Pick<Watched, 'onProgress' | 'refresh'>,
  clock: Clock,
  isReached: () => boolean,
): Promise<void> | undefined {
  if (isReached()) return undefined;
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      unlisten();
      cancelRefresh();
      cancelLimit();
      settle();
    };
    const unlisten = watched.onProgress(() => {
      if (isReached()) end(resolve);
    });
    const cancelRefresh = clock.after(patienceMs, watched.refresh);
    const cancelLimit = clock.after(behindMs, () => end(() => reject(behind())));
  });
}

function behind(): AppError {
  const message = 'this replica is behind the state of the cluster; retry';
  return new AppError('Unavailable', message, { retryAfterSeconds: 1 });
}
