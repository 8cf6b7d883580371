import type { KubeObject, ResourceType, Stored } from '../../../core/api/resources/kubeObject.ts';
import type { Reflector } from '../../../core/kube/cache/reflector.ts';
import { createBoundedMap } from '../../../core/lib/boundedMap.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { forCaller, type Store } from '../../store/kubeErrors.ts';
import type { Budget } from './budget.ts';

/** Account objects by name: from the cache, and live when the cache has none. */
export interface Lookup<T extends KubeObject> {
  /** Undefined when there is none, or when it is being deleted. */
  find(name: string): Promise<Stored<T> | undefined>;
  /** What the cache has now, without a question to the cluster. */
  cached(name: string): Stored<T> | undefined;
  /** Takes the answer of an own write, so that this replica reads what it wrote. */
  observe(object: Stored<T>): void;
  /** Hides an object that was just deleted until the watch says so too. */
  forget(object: Stored<T>): void;
}

export interface LookupOptions<T extends KubeObject> {
  kube: Pick<Store, 'get'>;
  reflector: Reflector<T>;
  type: ResourceType<T>;
  namespace: string;
  clock: Clock;
  /** Bounds live questions, which anybody can cause with names out of thin air. */
  budget: Budget;
}

/** A name that the cluster did not know is not asked for again so soon. */
const absentMs = 500;
const maxAbsent = 10_000;

/** Another replica may just have created what this one is asked for, so a miss is asked live, once for all who wait. */
export function createLookup<T extends KubeObject>(options: LookupOptions<T>): Lookup<T> {
  const { reflector, namespace } = options;
  const forgotten = new Set<string>();
  reflector.onChange(({ type, object }) => {
    if (type === 'deleted') forgotten.delete(object.metadata.uid);
  });
  const isThere = ({ metadata }: Stored<T>): boolean =>
    metadata.deletionTimestamp === undefined && !forgotten.has(metadata.uid);
  const live = createLiveReader(options);

  return {
    async find(name) {
      const object = reflector.get({ namespace, name }) ?? (await live.read(name));
      return object && isThere(object) ? object : undefined;
    },
    cached(name) {
      const object = reflector.get({ namespace, name });
      return object && isThere(object) ? object : undefined;
    },
    observe(object) {
      live.mayExist(object.metadata.name);
      reflector.observe(object);
    },
    forget({ metadata }) {
      if (reflector.get({ namespace, name: metadata.name })) forgotten.add(metadata.uid);
    },
  };
}

/** Asks the cluster; what it did not know a moment ago is not asked for again, and nothing twice at once. */
function createLiveReader<T extends KubeObject>(options: LookupOptions<T>) {
  const { kube, reflector, type, namespace, clock, budget } = options;
  const absentSinceMs = createBoundedMap<string, number>(maxAbsent);
  const asking = new Map<string, Promise<Stored<T> | undefined>>();
  reflector.onChange(({ object }) => void absentSinceMs.delete(object.metadata.name));

  async function ask(name: string): Promise<Stored<T> | undefined> {
    budget.spend();
    const object = await forCaller(kube.get(type, { namespace, name }));
    if (object) {
      reflector.observe(object);
      return object;
    }
    absentSinceMs.set(name, clock.nowMs());
    return undefined;
  }

  return {
    mayExist: (name: string) => void absentSinceMs.delete(name),
    async read(name: string): Promise<Stored<T> | undefined> {
      const sinceMs = absentSinceMs.get(name);
      if (sinceMs !== undefined && clock.nowMs() - sinceMs < absentMs) return undefined;
      const asked = asking.get(name) ?? ask(name).finally(() => asking.delete(name));
      asking.set(name, asked);
      return asked;
    },
  };
}
