import type { NamespacedObject, ResourceType } from '../../core/api/resources/kubeObject.ts';
import {
  networkType,
  recordingType,
  secretType,
  snapshotType,
  tokenType,
  webhookType,
} from '../../core/api/resources/resources.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Kube } from '../../core/kube/kube.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import type { Log } from '../../core/lib/log.ts';
import { createCache, type ObjectCache } from './cache.ts';
import type { Caches } from './caches.ts';
import { type CatchUp, createCatchUp } from './catchUp.ts';
import { createFind, type Find } from './find.ts';
import type { Store } from './kubeErrors.ts';
import type { Writers } from './writers.ts';

/** How handlers read one kind. There is one per kind and process, so that all handlers know what was just deleted. */
export interface StoredKind<T extends NamespacedObject> {
  cache: ObjectCache<T>;
  find: Find<T>;
  catchUp: CatchUp;
}

export interface StoredKindsOptions {
  kube: Store & Pick<Kube, 'get' | 'list' | 'serverTimeMs'>;
  caches: Pick<Caches, 'networks' | 'secrets' | 'snapshots' | 'recordings' | 'tokens' | 'webhooks'>;
  clock: Clock;
  log: Log;
  /** Without it, every list asks for all that it may not have seen. */
  writers?: Writers;
}

export type StoredKinds = ReturnType<typeof createStoredKinds>;

/** The kinds that REST reads. Call it once per process. */
export function createStoredKinds({ kube, caches, clock, log, writers }: StoredKindsOptions) {
  function kindOf<T extends NamespacedObject>(type: ResourceType<T>, reflector: Reflector<T>): StoredKind<T> {
    const cache = createCache(reflector);
    return {
      cache,
      find: createFind({ kube, cache, type }),
      catchUp: createCatchUp({ kube, cache, reflector, type, clock, log, ...compact({ writers }) }),
    };
  }
  return {
    networks: kindOf(networkType, caches.networks),
    secrets: kindOf(secretType, caches.secrets),
    snapshots: kindOf(snapshotType, caches.snapshots),
    recordings: kindOf(recordingType, caches.recordings),
    tokens: kindOf(tokenType, caches.tokens),
    webhooks: kindOf(webhookType, caches.webhooks),
  };
}

const listed = [networkType, secretType, snapshotType, recordingType, tokenType, webhookType];

/** The same cluster: creates and deletes of the kinds that are listed are answered when they are announced. */
export function announcing<K extends Pick<Kube, 'create' | 'delete'>>(kube: K, writers: Writers): K {
  async function announced<R>(
    type: ResourceType,
    namespace: string | undefined,
    write: Promise<R>,
  ): Promise<R> {
    const isListed = listed.some(({ group, kind }) => type.group === group && type.kind === kind);
    if (!isListed || namespace === undefined) return write;
    const [answer] = await Promise.all([write, writers.announce(namespace)]);
    // A write that took long may have outlasted the announcement.
    await writers.announce(namespace);
    return answer;
  }
  const create: Kube['create'] = (type, object) =>
    announced(type, object.metadata.namespace, kube.create(type, object));
  const remove: Kube['delete'] = (type, ref, options) =>
    announced(type, ref.namespace, kube.delete(type, ref, options));
  return { ...kube, create, delete: remove };
}
