import type { KubeObject } from '../../core/api/resources/kubeObject.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import { versionOf } from '../../core/kube/objects.ts';
import type { Clock } from '../../core/lib/clock.ts';
import type { Log } from '../../core/lib/log.ts';
import type { Store } from './kubeErrors.ts';
import { liveMetadata } from './livePages.ts';
import { type Asking, createQuestion, type Presence } from './question.ts';
import { checkRecent, untilReached } from './untilReached.ts';

export interface CatchUpInOptions {
  kube: Pick<Store, 'list'>;
  clock: Clock;
  log: Log;
  presence: Presence;
}

/**
 * For a kind whose writes are not published, because they have to be one write: resolves when the cache shows what is in
 * a namespace. Rejects with Unavailable if that takes too long; while kube-apiserver does not answer, nobody can write.
 */
export function createCatchUpIn<T extends KubeObject>(
  cache: Reflector<T>,
  { kube, ...options }: CatchUpInOptions,
): (namespace: string) => Promise<void> {
  const { clock } = options;
  const newestIn = async (namespace: string, { signal, answered }: Asking) => {
    let newest = 0n;
    for await (const page of liveMetadata(kube, cache.type, namespace)) {
      answered();
      signal.throwIfAborted();
      for (const metadata of page) {
        const version = versionOf({ metadata });
        if (version > newest) newest = version;
      }
    }
    return newest;
  };
  const ask = createQuestion(options, newestIn);
  return async (namespace) => {
    const newest = await ask(namespace);
    if (newest === undefined) return checkRecent(cache, clock);
    await untilReached(cache, { clock }, () => cache.seenVersion() >= newest);
  };
}
