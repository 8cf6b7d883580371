import { createOnce } from '../../../../apiserver/store/createOnce.ts';
import { forCaller } from '../../../../apiserver/store/kubeErrors.ts';
import { hashOfSecret, isSameHash, parseToken } from '../../../../core/accounts/credentials.ts';
import { isId } from '../../../../core/accounts/ids.ts';
import { apiVersion } from '../../../../core/api/names.ts';
import type { Stored } from '../../../../core/kube/kube.ts';
import { parseRfc3339, toRfc3339 } from '../../../../core/lib/clock.ts';
import { AppError, isAppError } from '../../../../core/lib/errors.ts';
import { type SignInTicketResource, signInTicketType } from '../../api/resources/ticket.ts';
import type { IdentityDeps } from '../deps.ts';

/**
 * Uses up a ticket: of several requests with its token, on any replica, one gets it. Undefined if the token is wrong, or
 * the ticket was used or has expired.
 */
export async function useTicket(
  deps: IdentityDeps,
  { kind, token }: { kind: 'link'; token: string },
  mark: string | undefined,
): Promise<Stored<SignInTicketResource> | undefined> {
  const { kube, namespace, pepper, budget, clock } = deps;
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
  return (await isFirstUse(deps, { what: kind, value: ticket.metadata.name }, mark)) ? ticket : undefined;
}

/** A random value that counts once, such as a challenge or a nonce. */
interface Spent {
  what: string;
  value: string;
}

/** Marks a value as used. Throws Unauthorized if it was. */
export async function spend(deps: IdentityDeps, spent: Spent, mark: string | undefined): Promise<void> {
  if (await isFirstUse(deps, spent, mark)) return;
  throw new AppError('Unauthorized', 'this was used already: try again');
}

/**
 * Marks a value as used, on all replicas. False if another request used it; one with an Idempotency-Key may be repeated, because
 * its first attempt may have got no further. It is remembered for an hour at least: the value itself must expire before.
 */
export async function isFirstUse(
  { kube, namespace, pepper, clock }: IdentityDeps,
  { what, value }: Spent,
  mark: string | undefined,
): Promise<boolean> {
  const hash = hashOfSecret(pepper, 'spent', `${what}/${value}`).toString('hex');
  const object: SignInTicketResource = {
    apiVersion,
    kind: 'SignInTicket',
    metadata: { name: `n${hash.slice(0, 40)}`, namespace },
    spec: { purpose: 'spent', expiresAt: toRfc3339(clock.nowMs() + 3_600_000) },
  };
  try {
    await createOnce(kube, { type: signInTicketType, object, mark });
    return true;
  } catch (error) {
    if (isAppError(error, 'Conflict')) return false;
    throw error;
  }
}
