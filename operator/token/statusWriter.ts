import { tokenType } from '../../core/api/resources/resources.ts';
import type { DeploymentStatus, TokenResource } from '../../core/api/resources/tokenResource.ts';
import { isAppError } from '../../core/lib/errors.ts';
import type { TokenDeps } from './deps.ts';
import { eventsOf, statusPatchOf } from './status.ts';

/** Makes the next deployments of a token from those that its status tells of. */
export type Change = (deployments: DeploymentStatus[], token: TokenResource) => DeploymentStatus[];

/**
 * Changes the status of a token by its uid and resolves when that is written; nothing happens when the token is gone.
 * One write at a time for each token: changes that come meanwhile share the next.
 */
export type UpdateStatus = (uid: string, change: Change) => Promise<void>;

interface Waiting {
  change: Change;
  resolve(): void;
  reject(error: unknown): void;
}

export function createStatusWriter(deps: Pick<TokenDeps, 'kube' | 'caches' | 'events'>): UpdateStatus {
  const waiting = new Map<string, Waiting[]>();

  async function work(uid: string): Promise<void> {
    let group = waiting.get(uid)?.splice(0) ?? [];
    while (group.length > 0) {
      await writeFor(deps, uid, group);
      group = waiting.get(uid)?.splice(0) ?? [];
    }
    waiting.delete(uid);
  }

  return (uid, change) =>
    new Promise((resolve, reject) => {
      const isBusy = waiting.has(uid);
      const group = waiting.get(uid) ?? [];
      group.push({ change, resolve, reject });
      waiting.set(uid, group);
      if (!isBusy) void work(uid);
    });
}

/** Never rejects: those who wait hear how it went. */
async function writeFor(
  deps: Pick<TokenDeps, 'kube' | 'caches' | 'events'>,
  uid: string,
  group: readonly Waiting[],
): Promise<void> {
  try {
    await write(deps, uid, group);
    for (const { resolve } of group) resolve();
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}

async function write(
  { kube, caches, events }: Pick<TokenDeps, 'kube' | 'caches' | 'events'>,
  uid: string,
  group: readonly Waiting[],
): Promise<void> {
  const [token] = caches.tokens.byIndex('uid', uid);
  if (!token || token.metadata.deletionTimestamp) return;
  const before = token.status?.deployments ?? [];
  const after = group.reduce((deployments, { change }) => change(deployments, token), before);
  const patch = statusPatchOf(token, after, await kube.serverTimeMs());
  if (!patch) return;
  const { namespace = '', name } = token.metadata;
  try {
    // The uid is a precondition: a namesake that came since keeps its own status.
    const body = { metadata: { uid }, status: patch };
    caches.tokens.observe(await kube.patch(tokenType, { namespace, name }, body, 'status'));
  } catch (error) {
    if (isAppError(error, 'NotFound')) return;
    throw error;
  }
  for (const event of eventsOf(before, after)) events.record(token, event);
}
