import { hashOfSecret, isSameHash, parseToken } from '../../../core/accounts/credentials.ts';
import { isId } from '../../../core/accounts/ids.ts';
import type { InvitationResource, InvitationStatus } from '../../../core/api/resources/accountResources.ts';
import { invitationType } from '../../../core/api/resources/resources.ts';
import { compact } from '../../../core/lib/compact.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { forCaller } from '../../store/kubeErrors.ts';
import { updateLive } from '../../store/updateLive.ts';
import type { WorkspaceDeps } from '../deps.ts';
import { invitationState } from '../mapping.ts';

/** The invitation that a token opens. Throws NotFound, in the same words, whatever is wrong with the token. */
export async function findByToken({ kube, namespace, pepper, budget }: WorkspaceDeps, token: string) {
  const parts = parseToken(token);
  if (!parts || !isId('invitation', parts.id)) throw unknownToken();
  budget.spend();
  const invitation = await forCaller(kube.get(invitationType, { namespace, name: parts.id }));
  const hash = hashOfSecret(pepper, 'invitation', parts.secret);
  const isRight = invitation && isSameHash(hash, Buffer.from(invitation.spec.tokenHash, 'hex'));
  if (!isRight || invitation.metadata.deletionTimestamp) throw unknownToken();
  return invitation;
}

export function unknownToken(): AppError {
  return new AppError('NotFound', 'there is no invitation with this token');
}

export interface Claimant {
  userId: string;
  /** Of a request with an Idempotency-Key. */
  mark: string | undefined;
  /** Throws when the user may not take a pending invitation. */
  check(): Promise<void>;
}

/**
 * Takes the invitation for a user. Who took it and crashed, or lost the answer, takes it again; nobody else can, and
 * not a second time once it is settled. `isSettled`: an earlier attempt of the same request has got to its end.
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
    isSettled = status?.state === 'Accepted' && isOwn && mark !== undefined && status.request === mark;
    if (isSettled || (status?.state === 'Accepting' && isOwn)) return status;
    const state = invitationState(current, deps.clock.nowMs());
    if (state !== 'Pending') throw new AppError('Conflict', `the invitation is ${state.toLowerCase()}`);
    return { state: 'Accepting', acceptedBy: userId, ...compact({ request: mark }) };
  });
  return { isSettled };
}

/** Lets go of an invitation that could not be accepted. */
export async function release(deps: WorkspaceDeps, invitation: InvitationResource): Promise<void> {
  await updateStatus(deps, invitation, (current) =>
    current.status?.state === 'Accepting' ? { state: 'Pending' } : current.status,
  );
}

/** Marks an invitation as accepted for good. */
export async function settle(deps: WorkspaceDeps, invitation: InvitationResource): Promise<void> {
  await updateStatus(deps, invitation, ({ status }) =>
    status?.state === 'Accepted' ? status : { ...status, state: 'Accepted' },
  );
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
