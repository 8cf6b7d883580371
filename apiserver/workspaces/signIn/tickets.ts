import { hashOfSecret, isSameHash, parseToken } from '../../../core/accounts/credentials.ts';
import { isId } from '../../../core/accounts/ids.ts';
import { apiVersion } from '../../../core/api/names.ts';
import { signInTicketType } from '../../../core/api/resources/resources.ts';
import type { SignInTicketResource } from '../../../core/api/resources/signIn/ticket.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { parseRfc3339, toRfc3339 } from '../../../core/lib/clock.ts';
import { AppError, isAppError } from '../../../core/lib/errors.ts';
import { forCaller } from '../../store/kubeErrors.ts';
import type { WorkspaceDeps } from '../deps.ts';

/**
 * Uses up a ticket: of several requests with its token, on any replica, one gets it. Undefined if the token is wrong, or
 * the ticket was used or has expired.
 */
export async function useTicket(
  { kube, namespace, pepper, budget, clock }: WorkspaceDeps,
  kind: 'link',
  token: string,
): Promise<Stored<SignInTicketResource> | undefined> {
  const parts = parseToken(token);
  if (!parts || !isId(kind, parts.id)) return undefined;
  budget.spend();
  const ticket = await forCaller(kube.get(signInTicketType, { namespace, name: parts.id }));
  const { purpose, secretHash = '', expiresAt } = ticket?.spec ?? {};
  const isRight = isSameHash(
    hashOfSecret(pepper, kind, parts.secret),
    Buffer.from(secretHash.padEnd(64, '0'), 'hex'),
  );
  const isOver = clock.nowMs() >= (parseRfc3339(expiresAt) ?? 0);
  if (!ticket || purpose !== kind || !isRight || isOver) return undefined;
  const { metadata } = ticket;
  return (await forCaller(kube.delete(signInTicketType, metadata, { uid: metadata.uid })))
    ? ticket
    : undefined;
}

/**
 * Marks a random value, such as a challenge or a nonce, as used, on all replicas. Throws Unauthorized if it was. It is
 * remembered for an hour at least: the value itself must expire before.
 */
export async function spend(
  { kube, namespace, pepper, clock }: WorkspaceDeps,
  what: string,
  value: string,
): Promise<void> {
  const hash = hashOfSecret(pepper, 'spent', `${what}/${value}`).toString('hex');
  const object: SignInTicketResource = {
    apiVersion,
    kind: 'SignInTicket',
    metadata: { name: `n${hash.slice(0, 40)}`, namespace },
    spec: { purpose: 'spent', expiresAt: toRfc3339(clock.nowMs() + 3_600_000) },
  };
  try {
    await forCaller(kube.create(signInTicketType, object));
  } catch (error) {
    if (isAppError(error, 'Conflict')) throw new AppError('Unauthorized', 'this was used already: try again');
    throw error;
  }
}
