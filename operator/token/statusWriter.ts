import { tokenType } from '../../core/api/resources/resources.ts';
import type { DeploymentStatus, TokenResource } from '../../core/api/resources/tokenResource.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { isAppError } from '../../core/lib/errors.ts';
import { createSerializedWriter } from '../../core/lib/work/serializedWriter.ts';
import { isRunning } from '../../core/networks/incarnation.ts';
import { withConnections } from './connections.ts';
import type { TokenDeps } from './deps.ts';
import { eventsOf, statusPatchOf } from './status.ts';

/** Computes a token's next deployments from those in its status. */
type Change = (deployments: DeploymentStatus[], token: Stored<TokenResource>) => DeploymentStatus[];

/**
 * Changes the status of a token by its uid and resolves when that is written; does nothing when the token is gone.
 * One write at a time for each token: changes that arrive meanwhile share the next.
 */
export type UpdateStatus = (uid: string, change: Change) => Promise<void>;

export function createStatusWriter(deps: Pick<TokenDeps, 'kube' | 'caches' | 'events'>): UpdateStatus {
  const writer = createSerializedWriter<Change, void>({
    async write(uid, changes) {
      await write(deps, uid, changes);
      return changes.map(() => undefined);
    },
  });
  return writer.write;
}

async function write(
  { kube, caches, events }: Pick<TokenDeps, 'kube' | 'caches' | 'events'>,
  uid: string,
  changes: readonly Change[],
): Promise<void> {
  const [token] = caches.tokens.byIndex('uid', uid);
  if (!token || token.metadata.deletionTimestamp) return;
  const before = token.status?.deployments ?? [];
  const { namespace, name } = token.metadata;
  const changed = changes.reduce((deployments, change) => change(deployments, token), before);
  const after = withConnections(changed, (network) =>
    isRunning(caches.networks.get({ namespace, name: network })),
  );
  const patch = statusPatchOf(token, after, await kube.serverTimeMs());
  if (!patch) return;
  try {
    // The uid is a precondition: a later object with the same name keeps its own status.
    const body = { metadata: { uid }, status: patch };
    caches.tokens.observe(await kube.patch(tokenType, { namespace, name }, body, 'status'));
  } catch (error) {
    if (isAppError(error, 'NotFound')) return;
    throw error;
  }
  for (const event of eventsOf(before, after)) events.record(token, event);
}
