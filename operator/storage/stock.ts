import type { StoredKind } from '../../core/api/resources/records/storedBytes.ts';
import { createReflector, type Reflector, type ReflectorOptions } from '../../core/kube/cache/reflector.ts';
import type { KubeObject, ResourceType, Stored } from '../../core/kube/kube.ts';
import { compact } from '../../core/lib/compact.ts';
import { type CountedObjects, countedObjects, storedBytes } from '../../core/storage/kinds.ts';

/** What is stored in one namespace. */
export interface Stock {
  bytes: number;
  kinds: Partial<Record<StoredKind, number>>;
  /** Of these, in objects that processes keep in memory. */
  cached: Partial<Record<StoredKind, number>>;
}

/** The sizes of all objects with data of tenants, kept current by watches. */
export interface Stocks {
  start(): void;
  whenSynced(): Promise<void>;
  stop(): Promise<void>;
  in(namespace: string): Stock;
}

/** What is kept of an object. */
type Sized = KubeObject & { bytes: number };

type Options = Pick<ReflectorOptions<never>, 'kube' | 'clock' | 'log' | 'kubeMetrics'>;

/** Not started yet. `onChange` is called with the namespace of each object that was written or deleted. */
export function createStocks(options: Options, onChange: (namespace: string) => void): Stocks {
  const byNamespace = new Map<string, Sums>();

  const add: Add = (namespace, { kind, isCached }, bytes) => {
    const sums = byNamespace.get(namespace) ?? { kinds: new Map(), cached: new Map() };
    for (const sum of isCached ? [sums.kinds, sums.cached] : [sums.kinds]) {
      const bytesNow = (sum.get(kind) ?? 0) + bytes;
      if (bytesNow > 0) sum.set(kind, bytesNow);
      else sum.delete(kind);
    }
    if (sums.kinds.size > 0) byNamespace.set(namespace, sums);
    else byNamespace.delete(namespace);
    onChange(namespace);
  };

  const caches = countedObjects.map((counted) => sizesOf(options, counted, add));
  return {
    start() {
      for (const cache of caches) cache.start();
    },
    whenSynced: async () => void (await Promise.all(caches.map((cache) => cache.whenSynced()))),
    stop: async () => void (await Promise.all(caches.map((cache) => cache.stop()))),
    in(namespace) {
      const sums = byNamespace.get(namespace);
      const kinds = Object.fromEntries(sums?.kinds ?? []);
      const bytes = Object.values(kinds).reduce((sum, own) => sum + own, 0);
      return { bytes, kinds, cached: Object.fromEntries(sums?.cached ?? []) };
    },
  };
}

interface Sums {
  kinds: Map<StoredKind, number>;
  cached: Map<StoredKind, number>;
}

type Add = (namespace: string, counted: Pick<CountedObjects, 'kind' | 'isCached'>, bytes: number) => void;

function sizesOf(options: Options, counted: CountedObjects, add: Add): Reflector<Sized> {
  const { type, pageSize, labelSelector } = counted;
  const cache = createReflector<Sized>({
    ...options,
    pageSize,
    ...compact({ labelSelector }),
    type: type as ResourceType<Sized>,
    trim: sizeOf,
  });
  // The change does not carry the object's former size, so it is kept here.
  const sizes = new Map<string, number>();
  cache.onChange(({ type: change, object }) => {
    const { namespace = '', uid } = object.metadata;
    const before = sizes.get(uid) ?? 0;
    const after = change === 'set' ? object.bytes : 0;
    if (change === 'set') sizes.set(uid, after);
    else sizes.delete(uid);
    add(namespace, counted, after - before);
  });
  return cache;
}

function sizeOf(object: Stored<KubeObject>): Stored<Sized> {
  const { apiVersion, kind, metadata } = object;
  const { name, namespace = '', uid, resourceVersion, creationTimestamp } = metadata;
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    bytes: storedBytes(object),
  };
}
