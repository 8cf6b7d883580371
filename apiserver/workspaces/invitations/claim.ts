import { hashOfSecret, isSameHash, parseToken } from '../../../core/accounts/credentials.ts';
import { isId } from '../../../core/accounts/ids.ts';
import type {
  InvitationResource,
  InvitationStatus,
  MembershipResource,
} from '../../../core/api/resources/accountResources.ts';
import { invitationType } from '../../../core/api/resources/resources.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { compact } from '../../../core/lib/compact.ts';
import { AppError, isAppError } from '../../../core/lib/errors.ts';
import { forCaller } from '../../store/kubeErrors.ts';
import { updateLive } from '../../store/updateLive.ts';
import type { WorkspaceDeps } from '../deps.ts';
import { listLive } from '../list.ts';
import { invitationState, isBeingAccepted } from '../mapping.ts';
import { isMailedSecret } from './mail/mailedToken.ts';

/**
 * The invitation of a token, and whether the token is the one that was mailed to its address. Throws the same NotFound
 * whatever is wrong with the token.
 */
export async function findByToken({ kube, namespace, pepper, budget }: WorkspaceDeps, token: string) {
  const parts = parseToken(token);
  if (!parts || !isId('invitation', parts.id)) throw unknownToken();
  budget.spend();
  const invitation = await forCaller(kube.get(invitationType, { namespace, name: parts.id }));
  if (!invitation || invitation.metadata.deletionTimestamp) throw unknownToken();
  const hash = hashOfSecret(pepper, 'invitation', parts.secret);
  const isMailed = isMailedSecret(pepper, invitation, parts.secret);
  const isRight = isSameHash(hash, Buffer.from(invitation.spec.tokenHash, 'hex'));
  if (!isRight && !isMailed) throw unknownToken();
  return { invitation, isMailed };
}

export function unknownToken(): AppError {
  return new AppError(
    'NotFound',
    'no invitation has this token: check the token or ask for a new invitation',
  );
}

/** One try to accept an invitation. */
export interface Attempt {
  /** The mark of a request with an Idempotency-Key, which its repetitions share, or something random. */
  id: string;
  userId: string;
}

/**
 * Claims the invitation for a user. After a crash or a lost answer the same user can claim it again until it expires, but
 * nobody else can, and nobody once it is settled. Several attempts of the user may have claimed it: `settle` decides which
 * one counts. `check` throws if the user may not accept a pending invitation. `isSettled`: an earlier try of the same
 * attempt was completed.
 */
export async function claim(
  deps: WorkspaceDeps,
  invitation: InvitationResource,
  { check, ...attempt }: Attempt & { check(): Promise<void> },
): Promise<{ isSettled: boolean }> {
  if ((invitation.status?.state ?? 'Pending') === 'Pending') await check();
  let isSettled = false;
  await updateStatus(deps, invitation, (current) => {
    const { status } = current;
    const nowMs = deps.clock.nowMs();
    isSettled = isSettledBy(status, attempt);
    const isOwn = status?.acceptedBy === attempt.userId;
    if (isSettled || (isBeingAccepted(current, nowMs) && isOwn)) return status;
    const state = invitationState(current, nowMs);
    if (state !== 'Pending') throw unusable(state);
    return { ...status, state: 'Accepting', acceptedBy: attempt.userId };
  });
  return { isSettled };
}

export function unusable(state: string): AppError {
  return new AppError('Conflict', `the invitation is ${state.toLowerCase()}: ask for a new one`);
}

const isSettledBy = (status: InvitationStatus | undefined, { id, userId }: Attempt): boolean =>
  status?.state === 'Accepted' && status.acceptedBy === userId && status.request === id;

/** Releases an invitation that a user could not accept, and resolves to the status that it then has. */
export async function release(
  deps: WorkspaceDeps,
  invitation: InvitationResource,
  userId: string,
): Promise<InvitationStatus> {
  return updateStatus(deps, invitation, ({ status }) =>
    isClaimedBy(status, userId) ? { state: 'Pending', ...compact({ delivery: status?.delivery }) } : status,
  );
}

/** Gives an attempt up. It has won all the same if it was settled meanwhile, by the same request on another replica. */
export async function withdraw(
  deps: WorkspaceDeps,
  invitation: InvitationResource,
  attempt: Attempt,
): Promise<Outcome> {
  return outcomeOf(await release(deps, invitation, attempt.userId), attempt);
}

const isClaimedBy = (status: InvitationStatus | undefined, userId: string): boolean =>
  status?.state === 'Accepting' && status.acceptedBy === userId;

/** What has become of an attempt; `status` is what somebody else has left. */
export type Outcome = { won: true } | { won: false; status: InvitationStatus };

function outcomeOf(status: InvitationStatus, attempt: Attempt): Outcome {
  return isSettledBy(status, attempt) ? { won: true } : { won: false, status };
}

/**
 * The one write that decides who has accepted the invitation: of all attempts, on all replicas, one wins, and only that one
 * gives anything out. `membership`: the uid of what it created.
 */
export async function settle(
  deps: WorkspaceDeps,
  invitation: InvitationResource,
  { membership, ...attempt }: Attempt & { membership: string },
): Promise<Outcome> {
  const { id: request, userId } = attempt;
  const write = () =>
    updateStatus(deps, invitation, ({ status }) =>
      isClaimedBy(status, userId) ? { ...status, state: 'Accepted', request, membership } : status,
    );
  const status = await write().catch((error: unknown) => {
    if (isAppError(error, 'NotFound') || isAppError(error, 'Conflict')) throw error;
    // The answer may be lost, and the write done.
    return write();
  });
  return outcomeOf(status, attempt);
}

/** Settles what a member's interrupted acceptances have left, so that none of them brings the member back later. */
export async function settleFor(
  deps: WorkspaceDeps,
  { metadata, spec }: Stored<MembershipResource>,
): Promise<void> {
  const { workspace, user } = spec;
  for (const invitation of await listLive(deps, invitationType, { 'spec.workspace': workspace })) {
    if (!isClaimedBy(invitation.status, user)) continue;
    await updateStatus(deps, invitation, ({ status }) =>
      isClaimedBy(status, user) ? { ...status, state: 'Accepted', membership: metadata.uid } : status,
    );
  }
}

async function updateStatus(
  { kube, namespace }: WorkspaceDeps,
  { metadata }: InvitationResource,
  change: (current: InvitationResource) => InvitationStatus | undefined,
): Promise<InvitationStatus> {
  const { status = {} } = await updateLive(
    kube,
    { type: invitationType, namespace, name: metadata.name, subresource: 'status', absent: unknownToken },
    (current) => {
      const next = change(current);
      return next === current.status || next === undefined ? current : { ...current, status: next };
    },
  );
  return status;
}
