import type { FakeVerb } from '../../core/kube/testing/fake/fakeFaults.ts';
import type { AccountsApi } from './accountsApi.ts';

interface Pause {
  /** Resolves when the request waits. */
  isHeld: Promise<void>;
  resume(): void;
}

/** Lets the first such request after `skip` others wait until it is resumed. */
export function pauseAt(
  { kube }: Pick<AccountsApi, 'kube'>,
  { verb, kind, skip = 0 }: { verb: FakeVerb; kind: string; skip?: number },
): Pause {
  const held = Promise.withResolvers<void>();
  const resumed = Promise.withResolvers<void>();
  let left = skip;
  const stop = kube.intercept(async (request) => {
    if (request.verb !== verb || request.kind !== kind) return;
    left -= 1;
    if (left >= 0) return;
    stop();
    held.resolve();
    await resumed.promise;
  });
  return { isHeld: held.promise, resume: resumed.resolve };
}
