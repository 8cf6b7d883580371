import type { FakeVerb } from '../../core/kube/testing/fake/fakeFaults.ts';
import type { AccountsApi } from './accountsApi.ts';

/** Holds the next requests of a kind until `count` of them have come, so that they run at the same moment. */
export function together(
  { kube }: Pick<AccountsApi, 'kube'>,
  { verb, kind, count }: { verb: FakeVerb; kind: string; count: number },
): void {
  const all = Promise.withResolvers<void>();
  let arrived = 0;
  const stop = kube.intercept(async (request) => {
    if (request.verb !== verb || request.kind !== kind) return;
    arrived += 1;
    if (arrived === count) {
      stop();
      all.resolve();
    }
    await all.promise;
  });
}
