import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestListener } from 'node:http';
import type { NamespacedObject } from '../../core/api/resources/kubeObject.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Caches } from '../store/caches.ts';
import type { ReadsAfterWrites } from '../store/readsAfterWrites.ts';

/** What a request has waited for; everything while it has not waited for anything. */
interface Waited {
  kinds?: Set<string> | 'all';
}

const guarded = ['networks', 'secrets', 'snapshots', 'recordings', 'tokens'] as const;
const reading = ['get', 'list', 'byIndex'] as const;

/** Fails each request that reads the cache of a kind that its operation does not wait for. */
export function createKindsGuard() {
  const waited = new AsyncLocalStorage<Waited>();

  function check(kind: string): void {
    const { kinds = 'all' } = waited.getStore() ?? {};
    if (kinds === 'all' || kinds.has(kind)) return;
    throw new Error(
      `the operation reads the cache of ${kind}, and does not wait for it (reads of its group)`,
    );
  }

  return {
    caches(caches: Caches): Caches {
      const checked = guarded.map((name) => [name, guardedBy(check, caches[name])]);
      return { ...caches, ...Object.fromEntries(checked) };
    },
    cache: <T extends NamespacedObject>(cache: Reflector<T>) => guardedBy(check, cache),
    reads(reads: ReadsAfterWrites): ReadsAfterWrites {
      return {
        ...reads,
        catchUp(kinds) {
          const store = waited.getStore();
          if (store) store.kinds = kinds ? new Set([...(store.kinds ?? []), ...kinds]) : 'all';
          return reads.catchUp(kinds);
        },
      };
    },
    app:
      (app: RequestListener): RequestListener =>
      (request, response) =>
        waited.run({}, () => app(request, response)),
  };
}

/** Just enough of any of them. */
type Read = Record<(typeof reading)[number], unknown> & { type: { kind: string } };

function guardedBy<C extends Read>(check: (kind: string) => void, cache: C): C {
  const checked = reading.map((name) => {
    const read = cache[name] as (...args: unknown[]) => unknown;
    return [
      name,
      (...args: unknown[]) => {
        check(cache.type.kind);
        return read(...args);
      },
    ];
  });
  return { ...cache, ...Object.fromEntries(checked) };
}
