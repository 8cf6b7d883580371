import { labels } from '../../core/api/names.ts';
import type { NamespacedObject, ResourceType } from '../../core/api/resources/kubeObject.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Kube } from '../../core/kube/kube.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { messageOf } from '../../core/lib/errors.ts';
import type { Log } from '../../core/lib/log.ts';
import type { ObjectCache } from './cache.ts';
import { readNames } from './find.ts';
import type { Store } from './kubeErrors.ts';
import { shareNext } from './shareNext.ts';

const bucketMs = 10_000;
/** Buckets of creation that are looked at: the present one, those before, and one ahead for clocks that differ. */
const bucketOffsets = [-2, -1, 0, 1];
/** A watch is behind by milliseconds; one that is behind by more has a trouble of its own. */
const waitMs = 500;
/** With a kube-apiserver that hangs, lists are answered as they are known after this time. */
const limitMs = 2000;

/** Resolves when the cache shows all of a namespace that any replica had created or deleted before the call. */
export type CatchUp = (namespace: string) => Promise<void>;

export interface CatchUpDeps<T extends NamespacedObject> {
  kube: Pick<Kube, 'get' | 'list' | 'serverTimeMs'>;
  cache: ObjectCache<T>;
  reflector: Pick<Reflector<T>, 'onChange' | 'seenVersion'>;
  type: ResourceType<T>;
  clock: Clock;
  log: Log;
}

/** The object with the label by which other replicas find out that it is new. */
export async function markNew<T extends NamespacedObject>(
  kube: Pick<Store, 'serverTimeMs'>,
  object: T,
): Promise<T> {
  const created = String(Math.floor((await kube.serverTimeMs()) / bucketMs));
  const { metadata } = object;
  return { ...object, metadata: { ...metadata, labels: { ...metadata.labels, [labels.created]: created } } };
}

/**
 * Asks kube-apiserver for two small things: which objects of the namespace are new, and how many there are in all.
 * The cache is right when it has the new ones and as many; else it waits for its watch, and when that does not help,
 * reads the names live. Why so: docs/decisions/0012. While kube-apiserver is not reached, nobody writes: the cache
 * is right as it is.
 */
export function createCatchUp<T extends NamespacedObject>(deps: CatchUpDeps<T>): CatchUp {
  return shareNext((namespace) => {
    const work = async () => {
      const mark = await readMark(deps, namespace);
      if (isReached(deps, namespace, mark) || (await waitUntilReached(deps, namespace, mark))) return;
      await repair(deps, namespace);
    };
    return new Promise((resolve) => {
      const giveUp = (reason: string) => {
        deps.log.debug('a list is answered from the cache alone', { reason });
        resolve();
      };
      const cancel = deps.clock.after(limitMs, () => giveUp('kube-apiserver does not answer'));
      work()
        .then(resolve, (error) => giveUp(messageOf(error)))
        .finally(cancel);
    });
  });
}

/** What the cache must have. */
interface Mark {
  /** Who has seen all up to these has seen what was there. */
  versions: bigint[];
  newUids: string[];
  /** Undefined when it was not told. */
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

/** Brings the cache up to the names that are there: reads what it lacks, hides what is gone. */
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
