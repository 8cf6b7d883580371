import { z } from 'zod';
import type { Handler } from '../../../../apiserver/http/pipeline/handler.ts';
import { toRfc3339 } from '../../../../core/lib/clock.ts';
import { AppError } from '../../../../core/lib/errors.ts';
import { checksummed, isSignedBy, signInText } from '../../../../core/signing/siwe.ts';
import type { WalletChallenge } from '../../api/rest/identity.ts';
import type { IdentityDeps } from '../deps.ts';
import { openSession, requireCookies } from '../sessions/openSession.ts';
import { spend } from '../signIn/tickets.ts';
import { requireWholeAccess } from '../signIn/wholeAccess.ts';
import { isLinked, userOfIdentity } from './identityObjects.ts';

const lifetimeMs = 600_000;

const challengeSchema = z.object({
  address: z.string(),
  nonce: z.string(),
  issuedMs: z.number(),
  /** The user who links the wallet; empty for a sign-in. */
  userId: z.string(),
});
type Challenge = z.infer<typeof challengeSchema>;

/** Begins a sign-in with a wallet. */
export function createWalletChallenge(deps: IdentityDeps): Handler<'createWalletChallenge'> {
  return async ({ body }) => {
    requireCookies(deps);
    return { body: challengeFor(deps, { address: body.address, userId: '' }) };
  };
}

/** Begins to link a wallet. */
export function createIdentityChallenge(deps: IdentityDeps): Handler<'createIdentityChallenge'> {
  return async ({ principal, body }) => {
    await requireWholeAccess(deps, principal);
    return { body: challengeFor(deps, { address: body.address, userId: principal.userId }) };
  };
}

/** Signs in with a wallet that is linked to an account. */
export function createWalletSession(deps: IdentityDeps): Handler<'createWalletSession'> {
  return async (call) => {
    requireCookies(deps);
    // Anybody can make keys and sign, and what was signed is remembered.
    deps.budget.spend();
    const address = await provenWallet(deps, { ...call.body, mark: call.idempotencyMark }, '');
    const proof = { wallet: { address } };
    const user = await userOfIdentity(deps, proof);
    if (user) {
      const stillCounts = (live: typeof user) => isLinked(deps, live, proof);
      return openSession(deps, { userId: user.metadata.name, method: 'wallet', stillCounts }, call);
    }
    throw new AppError(
      'Forbidden',
      `no account here belongs to the wallet ${address}: sign in another way and link it on the page of your account`,
    );
  };
}

/**
 * The address of the wallet that signed a challenge for this user; the empty id is a sign-in. A challenge is used up by it,
 * except for the same request (`mark`). Throws Unauthorized if it is old, was used, or is somebody else's, and if the signature
 * is wrong.
 */
export async function provenWallet(
  deps: IdentityDeps,
  { challenge: sealed, signature, mark }: { challenge: string; signature: string; mark: string | undefined },
  userId: string,
): Promise<string> {
  checkEnabled(deps);
  const challenge = open(deps, sealed);
  const isCurrent = challenge && deps.clock.nowMs() < challenge.issuedMs + lifetimeMs;
  if (!isCurrent || challenge.userId !== userId) throw staleChallenge();
  if (!isSignedBy(challenge.address, textOf(deps, challenge), signature))
    throw new AppError(
      'Unauthorized',
      `the signature is not that of the key of ${challenge.address}: choose this account in the wallet and start again; wallets that are contracts cannot sign in`,
    );
  await spend(deps, { what: 'wallet', value: challenge.nonce }, mark);
  return challenge.address;
}

function challengeFor(
  deps: IdentityDeps,
  { address, userId }: Pick<Challenge, 'address' | 'userId'>,
): WalletChallenge {
  checkEnabled(deps);
  const { sealer, random, clock } = deps;
  const challenge = {
    address: checksummed(address),
    nonce: random(16).toString('hex'),
    issuedMs: clock.nowMs(),
    userId,
  };
  return {
    kind: 'WalletChallenge',
    version: 'v1alpha1',
    message: textOf(deps, challenge),
    challenge: sealer.seal(Buffer.from(JSON.stringify(challenge)), placeOf(deps)),
    expiresAt: toRfc3339(challenge.issuedMs + lifetimeMs),
  };
}

const placeOf = ({ namespace }: IdentityDeps) => ({ namespace, name: 'wallet challenge', owner: '' });

function open(deps: IdentityDeps, sealed: string): Challenge | undefined {
  try {
    return challengeSchema.parse(JSON.parse(deps.sealer.unseal(sealed, placeOf(deps)).toString('utf8')));
  } catch {
    return undefined;
  }
}

/** What the wallet shows says which of the two it is for. */
function textOf({ publicUrl, wallets }: IdentityDeps, { address, nonce, issuedMs, userId }: Challenge) {
  return signInText({
    address,
    nonce,
    chainId: wallets.chainId,
    uri: publicUrl,
    domain: new URL(publicUrl).host,
    statement: userId === '' ? 'Sign in to Slipway.' : `Link this wallet to the Slipway account ${userId}.`,
    issuedAt: toRfc3339(issuedMs),
    expirationTime: toRfc3339(issuedMs + lifetimeMs),
  });
}

function checkEnabled({ wallets }: IdentityDeps): void {
  if (wallets.enabled) return;
  throw new AppError('Forbidden', 'this installation does not sign in with wallets (wallets.enabled)');
}

const staleChallenge = () =>
  new AppError(
    'Unauthorized',
    'this message was not made for this sign-in within the last ten minutes, or was used: start again',
  );
