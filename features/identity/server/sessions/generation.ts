import type { Principal } from '../../../../apiserver/http/auth/principal.ts';
import { notFound } from '../../../../apiserver/store/find.ts';
import { updateLive } from '../../../../apiserver/store/updateLive.ts';
import type { UserResource } from '../../../../core/api/resources/accountResources.ts';
import { userType } from '../../../../core/api/resources/resources.ts';
import type { Stored } from '../../../../core/kube/kube.ts';
import { compact } from '../../../../core/lib/compact.ts';
import { AppError } from '../../../../core/lib/errors.ts';
import type { SessionResource } from '../../api/resources/session.ts';
import type { IdentityDeps } from '../deps.ts';

type Caller = Pick<Principal, 'userId' | 'sessionId'>;
type User = Stored<UserResource>;

/**
 * How often a way to sign in of a user was changed or removed. A session is of the generation that its user had before what
 * opened it was looked at for the last time, so that it ends with a change that comes after, however late it is written.
 */
export function generationOf({ spec }: UserResource): number {
  return spec.signIns?.generation ?? 0;
}

/** Whether no way to sign in has been changed or removed since a session was opened, or this session did it. */
export function isCurrent({ metadata, spec }: SessionResource, user: UserResource): boolean {
  return (spec.generation ?? 0) >= generationOf(user) || user.spec.signIns?.session === metadata.name;
}

/**
 * The generation of the caller's user, as the cluster has it. Throws Unauthorized if the session of the request has ended by a
 * change that this replica does not know yet: it must not give anything that lasts.
 */
export async function liveGeneration(deps: IdentityDeps, caller: Caller): Promise<number> {
  const [user, isKept] = await Promise.all([
    deps.directory.users.findLive(caller.userId),
    keeps(deps, caller),
  ]);
  if (!user || !isKept(user)) throw hasEnded();
  return generationOf(user);
}

/**
 * Begins another generation by one write: all sessions of the former ones end, but for that of this request. `change` is
 * written with it. Throws Unauthorized if the session of the request has ended meanwhile.
 */
export async function beginGeneration(
  deps: IdentityDeps,
  caller: Caller,
  change: (current: User) => UserResource['spec'] = ({ spec }) => spec,
): Promise<{ former: User; user: User }> {
  const { kube, namespace } = deps;
  const { userId: name, sessionId: session } = caller;
  const isKept = await keeps(deps, caller);
  let former: User | undefined;
  const target = { type: userType, namespace, name, absent: () => notFound('User') };
  const user = await updateLive(kube, target, (current) => {
    if (!isKept(current)) throw hasEnded();
    former = current;
    const { signIns: { session: _former, ...signIns } = {}, ...spec } = change(current);
    const next = { ...signIns, generation: generationOf(current) + 1, ...compact({ session }) };
    return { ...current, spec: { ...spec, signIns: next } };
  });
  return { former: former ?? user, user };
}

/** Whether the session of a request, if it has one, still counts. */
async function keeps({ sessions }: IdentityDeps, { sessionId }: Caller): Promise<(user: User) => boolean> {
  if (sessionId === undefined) return () => true;
  const session = await sessions.findLive(sessionId);
  return (user) => session !== undefined && isCurrent(session, user);
}

const hasEnded = () => new AppError('Unauthorized', 'the session has ended: sign in again');
