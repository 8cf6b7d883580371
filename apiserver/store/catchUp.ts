import { labels } from '../../core/api/names.ts';
import type { NamespacedObject, ResourceType } from '../../core/api/resources/kubeObject.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { createBoundedMap } from '../../core/lib/boundedMap.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { withDeadline } from '../../core/lib/deadline.ts';
import { messageOf } from '../../core/lib/errors.ts';
import type { Log } from '../../core/lib/log.ts';
import type { ObjectCache } from './cache.ts';
import { readNames } from './find.ts';
import type { Store } from './kubeErrors.ts';
import { shareNext } from './shareNext.ts';
import type { Writers } from './writers.ts';

const bucketMs = 10_000;
/** Creation buckets to check: the current one, the two before, and the next one for clock skew. */
const bucketOffsets = [-2, -1, 0, 1];
/** A healthy watch is only milliseconds behind. */
const waitMs = 500;
/** If kube-apiserver hangs, lists are answered from the cache after this time. */
const limitMs = 2000;
/** After this time, a list that needs no answer to the full question has it asked all the same, behind it. */
const refreshMs = 10_000;
/** How long announcements of writes are sure to be known. */
const longestMs = 3600_000;
/** Namespaces. */
const maxRemembered = 10_000;

/** Resolves when the cache shows everything that any replica created or deleted in a namespace before the call. */
export type CatchUp = (namespace: string) => Promise<void>;

export interface CatchUpDeps<T extends NamespacedObject> {
  kube: Pick<Kube, 'get' | 'list' | 'serverTimeMs'>;
  cache: ObjectCache<T>;
  reflector: Pick<Reflector<T>, 'onChange' | 'seenVersion'>;
  type: ResourceType<T>;
  clock: Clock;
  log: Log;
  /** Without it, every call asks in full. */
  writers?: Writers;
}

/** The object with the label that shows other replicas that it is new. */
export async function markNew<T extends NamespacedObject>(
  kube: Pick<Store, 'serverTimeMs'>,
  object: T,
): Promise<T> {
  const created = String(Math.floor((await kube.serverTimeMs()) / bucketMs));
  const { metadata } = object;
  return { ...object, metadata: { ...metadata, labels: { ...metadata.labels, [labels.created]: created } } };
}

/**
 * If the cache was complete and no other replica has written since, it is complete: this one knows its own writes.
 * Otherwise asks kube-apiserver which objects of the namespace are new and how many there are in total. The cache is
 * current if it has the new objects and the same count. Otherwise it waits for its watch and, if that does not help,
 * reads the names live. For the reasons see docs/decisions/0012 and 0089. While kube-apiserver is unreachable, nobody
 * can write, so the cache is current.
 */
export function createCatchUp<T extends NamespacedObject>(deps: CatchUpDeps<T>): CatchUp {
  const askInFull = createAskInFull(deps);
  const giveUp = (reason: string) => deps.log.debug('answering a list only from the cache', { reason });
  const onLate = () => giveUp('kube-apiserver does not answer');
  const bounded = (work: Promise<void>) =>
    withDeadline(
      { clock: deps.clock, limitMs, onLate },
      work.catch((error) => giveUp(messageOf(error))),
    );

  async function work(namespace: string): Promise<void> {
    const { writers, kube } = deps;
    const sinceMs = askInFull.completeSinceMs(namespace);
    const ageMs = sinceMs === undefined ? Number.POSITIVE_INFINITY : (await kube.serverTimeMs()) - sinceMs;
    const isAsked = writers === undefined || sinceMs === undefined || ageMs > longestMs;
    if (isAsked || (await writers.hasOthers(namespace, sinceMs))) return askInFull.ask(namespace);
    // What Kubernetes' own users changed while the watch stalled shows in the next list.
    if (ageMs > refreshMs) void bounded(askInFull.ask(namespace));
  }
  return shareNext((namespace) => bounded(work(namespace)));
}

function createAskInFull<T extends NamespacedObject>(deps: CatchUpDeps<T>) {
  const complete = createBoundedMap<string, number>(maxRemembered);
  return {
    /** When the cache was last found to be complete, by the cluster's time. */
    completeSinceMs: (namespace: string) => complete.get(namespace),
    ask: shareNext(async (namespace) => {
      const askedMs = await deps.kube.serverTimeMs();
      const mark = await readMark(deps, namespace);
      const isCurrent = isReached(deps, namespace, mark) || (await waitUntilReached(deps, namespace, mark));
      if (!isCurrent) await repair(deps, namespace);
      complete.set(namespace, askedMs);
    }),
  };
}

/** The state that the cache must have reached. */
interface Mark {
  /** A cache that has seen all versions up to these is current. */
  versions: bigint[];
  newUids: string[];
  /** Undefined if kube-apiserver did not report it. */
  count: number | undefined;
}

async function readMark<T extends NamespacedObject>(deps: CatchUpDeps<T>, namespace: string): Promise<Mark> {
  const { kube, type } = deps;
  const bucket = Math.floor((await kube.serverTimeMs()) / bucketMs);
  const buckets = bucketOffsets.map((offset) => bucket + offset).join(',');
  const options = { namespace, isMetadataOnly: true };
  const [first, young] = await Promise.all([
    kube.list(type, { ...options, limit: 1 }),
    kube.list(type, { ...options, labelSelector: `${labels.created} in (${buckets})` }),
  ]);
  const isWhole = first.continueToken === undefined;
  const remaining = isWhole ? 0 : first.remaining;
  const versions = [first, young].map(({ resourceVersion }) => BigInt(resourceVersion));
  return {
    versions,
    newUids: young.items.map(({ metadata }) => metadata.uid),
    count: remaining === undefined ? undefined : first.items.length + remaining,
  };
}

function isReached<T extends NamespacedObject>(
  { cache, reflector }: CatchUpDeps<T>,
  namespace: string,
  { versions, newUids, count }: Mark,
): boolean {
  const seen = reflector.seenVersion();
  if (versions.every((version) => seen >= version)) return true;
  return (
    cache.inNamespace(namespace).length === count &&
    newUids.every((uid) => cache.byId(namespace, uid) !== undefined)
  );
}

function waitUntilReached<T extends NamespacedObject>(
  deps: CatchUpDeps<T>,
  namespace: string,
  mark: Mark,
): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (isThere: boolean) => {
      removeListener();
      cancel();
      resolve(isThere);
    };
    const cancel = deps.clock.after(waitMs, () => finish(false));
    const removeListener = deps.reflector.onChange(() => {
      if (isReached(deps, namespace, mark)) finish(true);
    });
  });
}

/** Updates the cache to the live names: reads missing objects and hides deleted ones. */
async function repair<T extends NamespacedObject>(deps: CatchUpDeps<T>, namespace: string): Promise<void> {
  const { kube, cache, type } = deps;
  const before = cache.inNamespace(namespace);
  const names = await readNames(kube, type, namespace);
  for (const { metadata } of before) if (!names.has(metadata.uid)) cache.forget(metadata.uid);
  for (const [uid, name] of names) {
    if (cache.byId(namespace, uid)) continue;
    const live = await kube.get(type, { namespace, name });
    if (live?.metadata.uid === uid) cache.observe(live);
  }
}
