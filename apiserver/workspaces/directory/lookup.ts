import type { KubeObject, ResourceType, Stored } from '../../../core/api/resources/kubeObject.ts';
import type { Reflector } from '../../../core/kube/cache/reflector.ts';
import { createBoundedMap } from '../../../core/lib/boundedMap.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { forCaller, type Store } from '../../store/kubeErrors.ts';
import type { Budget } from './budget.ts';

/** Account objects by name: from the cache, or live if the cache does not have them. */
export interface Lookup<T extends KubeObject> {
  /** Undefined if it does not exist or is being deleted. `uid`: only this one, and no other of the same name. */
  find(name: string, uid?: string): Promise<Stored<T> | undefined>;
  /** The same, as the cluster has it now: for a decision that must not be made about an earlier one of the same name. */
  findLive(name: string): Promise<Stored<T> | undefined>;
  /** The cached object, without a request to the cluster. */
  cached(name: string): Stored<T> | undefined;
  /** Hides an object that turned out to be deleted until the watch reports the deletion. */
  forget(object: Stored<T>): void;
}

export interface LookupOptions<T extends KubeObject> {
  kube: Pick<Store, 'get'>;
  reflector: Reflector<T>;
  type: ResourceType<T>;
  namespace: string;
  clock: Clock;
  /** Bounds live lookups, which anybody can cause with arbitrary names. */
  budget: Budget;
}

/** Whether an object is the one with `uid`, if that is given, and was not deleted. */
type IsThere<T extends KubeObject> = (object: Stored<T>, uid?: string) => boolean;

/** How long a name that the cluster did not know is not looked up again. */
const absentMs = 500;
const maxAbsent = 10_000;

/**
 * On a miss, looks up the object live, once for all waiting callers: another replica may just have created it, also in place
 * of one with the same name.
 */
export function createLookup<T extends KubeObject>(options: LookupOptions<T>): Lookup<T> {
  const { reflector, namespace } = options;
  const forgotten = new Set<string>();
  reflector.onChange(({ type, object }) => {
    if (type === 'deleted') forgotten.delete(object.metadata.uid);
  });
  const isThere: IsThere<T> = ({ metadata }, uid = metadata.uid) =>
    metadata.uid === uid && metadata.deletionTimestamp === undefined && !forgotten.has(uid);
  const live = createLiveReader(options, isThere);
  return {
    async find(name, uid) {
      const object = reflector.get({ namespace, name });
      if (object?.metadata.deletionTimestamp !== undefined) return undefined;
      return object && isThere(object, uid) ? object : live.read(name, uid);
    },
    async findLive(name) {
      const object = await forCaller(options.kube.get(options.type, { namespace, name }));
      return object && isThere(object) ? object : undefined;
    },
    cached(name) {
      const object = reflector.get({ namespace, name });
      return object && isThere(object) ? object : undefined;
    },
    forget({ metadata }) {
      if (reflector.get({ namespace, name: metadata.name })) forgotten.add(metadata.uid);
    },
  };
}

/** Reads from the cluster. Recent misses are cached, and concurrent reads of the same name are shared. */
function createLiveReader<T extends KubeObject>(options: LookupOptions<T>, isThere: IsThere<T>) {
  const { kube, reflector, type, namespace, clock, budget } = options;
  const absentSinceMs = createBoundedMap<string, number>(maxAbsent);
  const pending = new Map<string, Promise<Stored<T> | undefined>>();
  const questionOf = (name: string, uid = '') => `${name} ${uid}`;

  function mayExist({ metadata: { name, uid } }: Stored<T>): void {
    absentSinceMs.delete(questionOf(name));
    absentSinceMs.delete(questionOf(name, uid));
  }
  reflector.onChange(({ object }) => mayExist(object));

  async function fetch(name: string): Promise<Stored<T> | undefined> {
    budget.spend();
    return forCaller(kube.get(type, { namespace, name }));
  }

  return {
    async read(name: string, uid?: string): Promise<Stored<T> | undefined> {
      const question = questionOf(name, uid);
      const sinceMs = absentSinceMs.get(question);
      if (sinceMs !== undefined && clock.nowMs() - sinceMs < absentMs) return undefined;
      const reading = pending.get(name) ?? fetch(name).finally(() => pending.delete(name));
      pending.set(name, reading);
      const object = await reading;
      if (object && isThere(object, uid)) return object;
      absentSinceMs.set(question, clock.nowMs());
      return undefined;
    },
  };
}
