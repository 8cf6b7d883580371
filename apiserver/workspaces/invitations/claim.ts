import { hashOfSecret, isSameHash, parseToken } from '../../../core/accounts/credentials.ts';
import { isId } from '../../../core/accounts/ids.ts';
import type { InvitationResource, InvitationStatus } from '../../../core/api/resources/accountResources.ts';
import { invitationType } from '../../../core/api/resources/resources.ts';
import { compact } from '../../../core/lib/compact.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { forCaller } from '../../store/kubeErrors.ts';
import { updateLive } from '../../store/updateLive.ts';
import type { WorkspaceDeps } from '../deps.ts';
import { listLive } from '../list.ts';
import { invitationState, isBeingAccepted } from '../mapping.ts';
import { isMailedSecret } from './mailedToken.ts';

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

export interface Claimant {
  userId: string;
  /** The mark of a request with an Idempotency-Key. */
  mark: string | undefined;
  /** Throws if the user may not accept a pending invitation. */
  check(): Promise<void>;
}

/**
 * Claims the invitation for a user. After a crash or a lost answer the same user can claim it again until it expires, but
 * nobody else can, and nobody once it is settled. `isSettled`: an earlier attempt of the same request was completed.
 */
export async function claim(
  deps: WorkspaceDeps,
  invitation: InvitationResource,
  { userId, mark, check }: Claimant,
): Promise<{ isSettled: boolean }> {
  if ((invitation.status?.state ?? 'Pending') === 'Pending') await check();
  let isSettled = false;
  await updateStatus(deps, invitation, (current) => {
    const { status } = current;
    const isOwn = status?.acceptedBy === userId;
    const nowMs = deps.clock.nowMs();
    isSettled = status?.state === 'Accepted' && isOwn && mark !== undefined && status.request === mark;
    if (isSettled || (isBeingAccepted(current, nowMs) && isOwn)) return status;
    const state = invitationState(current, nowMs);
    if (state !== 'Pending') throw new AppError('Conflict', unusable(state.toLowerCase()));
    return { ...status, state: 'Accepting', acceptedBy: userId, ...compact({ request: mark }) };
  });
  return { isSettled };
}

const unusable = (state: string) => `the invitation is ${state}: ask for a new one`;

/** Releases an invitation that could not be accepted. */
export async function release(deps: WorkspaceDeps, invitation: InvitationResource): Promise<void> {
  await updateStatus(deps, invitation, (current) =>
    current.status?.state === 'Accepting'
      ? { state: 'Pending', ...compact({ delivery: current.status.delivery }) }
      : current.status,
  );
}

/** Marks an invitation as finally accepted. Throws Conflict if it was revoked meanwhile. */
export async function settle(deps: WorkspaceDeps, invitation: InvitationResource): Promise<void> {
  await updateStatus(deps, invitation, ({ status }) => {
    if (status?.state === 'Revoked') throw new AppError('Conflict', unusable('revoked'));
    return status?.state === 'Accepted' ? status : { ...status, state: 'Accepted' };
  });
}

/** Settles what a member's interrupted acceptances have left, so that none of them brings the member back later. */
export async function settleFor(deps: WorkspaceDeps, workspaceId: string, userId: string): Promise<void> {
  const invitations = await listLive(deps, invitationType, { 'spec.workspace': workspaceId });
  const open = invitations.filter(
    ({ status }) => status?.state === 'Accepting' && status.acceptedBy === userId,
  );
  for (const invitation of open) await settle(deps, invitation);
}

async function updateStatus(
  { kube, namespace }: WorkspaceDeps,
  { metadata }: InvitationResource,
  change: (current: InvitationResource) => InvitationStatus | undefined,
): Promise<void> {
  const place = { type: invitationType, namespace, name: metadata.name, subresource: 'status' } as const;
  await updateLive(kube, { ...place, absent: unknownToken }, (current) => {
    const status = change(current);
    return status === current.status || status === undefined ? current : { ...current, status };
  });
}
