import type { Clock } from '../../core/lib/clock.ts';
import type { Principal } from '../http/auth/principal.ts';

/** Whether a caller still has the access that a stream began with. */
export type HasAccess = (principal: Principal) => Promise<boolean>;

/** Ends what callers keep open once they have lost access. */
export interface AccessWatch {
  /** Calls `onLost` when the caller no longer has the access of `principal`. Returns a function that ends the watch. */
  follow(principal: Principal, onLost: () => void): () => void;
}

interface Followed {
  principal: Principal;
  onLost(): void;
}

/** How long it takes at most to notice a revoked key, an ended session or a lost membership, besides the delay of the watch. */
const checkMs = 1000;

export function createAccessWatch({ hasAccess, clock }: { hasAccess: HasAccess; clock: Clock }): AccessWatch {
  const all = new Set<Followed>();
  let isChecking = false;

  /** Runs as long as anything is followed. */
  function keepChecking(): void {
    if (isChecking) return;
    isChecking = true;
    clock.after(checkMs, () => void check().finally(resume), 'background');
  }

  function resume(): void {
    isChecking = false;
    if (all.size > 0) keepChecking();
  }

  async function check(): Promise<void> {
    for await (const lost of withoutAccess(all, hasAccess)) {
      if (all.delete(lost)) lost.onLost();
    }
  }

  return {
    follow(principal, onLost) {
      const one = { principal, onLost };
      all.add(one);
      keepChecking();
      return () => void all.delete(one);
    },
  };
}

/** Those whose callers have lost access. A cluster that does not answer takes nobody's access away. */
async function* withoutAccess(all: ReadonlySet<Followed>, hasAccess: HasAccess): AsyncGenerator<Followed> {
  const callerOf = ({ principal: { keyId, sessionId, workspaceId } }: Followed) =>
    [keyId, sessionId, workspaceId].join('/');
  for (const some of Map.groupBy(all, callerOf).values()) {
    const [first] = some;
    if (!first || (await hasAccess(first.principal).catch(() => true))) continue;
    yield* some;
  }
}
