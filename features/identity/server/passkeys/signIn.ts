import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import type { Handler } from '../../../../apiserver/http/pipeline/handler.ts';
import { forCaller } from '../../../../apiserver/store/kubeErrors.ts';
import { updateLive } from '../../../../apiserver/store/updateLive.ts';
import type { BodyOf } from '../../../../core/api/operations/operations.ts';
import type { Stored } from '../../../../core/kube/kube.ts';
import { toRfc3339 } from '../../../../core/lib/clock.ts';
import { AppError } from '../../../../core/lib/errors.ts';
import { type PasskeyResource, passkeyType } from '../../api/resources/passkey.ts';
import type { IdentityDeps } from '../deps.ts';
import { openSession } from '../sessions/openSession.ts';
import { challengeLifetimeMs } from '../signIn/challenges.ts';
import { spend } from '../signIn/tickets.ts';
import { describePasskey, passkeyIdOf, requirePasskeys } from './mapping.ts';

const purpose = 'sign in with a passkey';
type Answer = BodyOf<'signInWithPasskey'>;

/** What a browser asks its passkeys with. It does not say who signs in: the passkey does. */
export function getPasskeySignInOptions(deps: IdentityDeps): Handler<'getPasskeySignInOptions'> {
  return async ({ random }) => {
    const { rpID } = requirePasskeys(deps);
    const challenge = Buffer.from(deps.challenges.create(purpose, random)).toString('base64url');
    return {
      body: { challenge, rpId: rpID, timeout: challengeLifetimeMs, userVerification: 'required' },
    };
  };
}

/** Signs in with the answer of a passkey. Whatever is wrong with it, the error is the same. */
export function signInWithPasskey(deps: IdentityDeps): Handler<'signInWithPasskey'> {
  return async (call) => {
    requirePasskeys(deps);
    const passkey = await find(deps, call.body);
    const { observed, challenge } = await verified(deps, passkey, call.body);
    await spend(deps, { what: 'challenge', value: challenge }, call.idempotencyMark);
    await noteUse(deps, passkey, observed);
    const stillCounts = () => isThere(deps, passkey);
    const signedIn = { userId: passkey.spec.user, method: 'passkey', stillCounts } as const;
    const reply = await openSession(deps, signedIn, call);
    return { ...reply, objects: [...(reply.objects ?? []), describePasskey(passkey)] };
  };
}

/** The passkey of an answer, if it and its user are still there. */
async function find(
  { kube, namespace, directory, budget }: IdentityDeps,
  { id, response }: Answer,
): Promise<Stored<PasskeyResource>> {
  budget.spend();
  const passkey = await forCaller(kube.get(passkeyType, { namespace, name: passkeyIdOf(id) }));
  const user = passkey && (await directory.users.find(passkey.spec.user));
  const isOfUser = passkey?.metadata.ownerReferences?.some(({ uid }) => uid === user?.metadata.uid);
  if (!passkey || !user || !isOfUser || passkey.metadata.deletionTimestamp) throw refused();
  const { userHandle } = response;
  const isNamed =
    userHandle === undefined || Buffer.from(userHandle, 'base64url').toString() === passkey.spec.user;
  if (!isNamed) throw refused();
  return passkey;
}

/** Whether it was not removed meanwhile. */
async function isThere({ kube }: IdentityDeps, { metadata }: Stored<PasskeyResource>): Promise<boolean> {
  const live = await forCaller(kube.get(passkeyType, metadata));
  return live?.metadata.uid === metadata.uid && live.metadata.deletionTimestamp === undefined;
}

async function verified(deps: IdentityDeps, { spec, status }: Stored<PasskeyResource>, answer: Answer) {
  const { rpID, origin } = requirePasskeys(deps);
  const { userHandle: _userHandle, ...response } = answer.response;
  let challenge = '';
  const verification = await verifyAuthenticationResponse({
    response: {
      id: answer.id,
      rawId: answer.rawId,
      type: answer.type,
      clientExtensionResults: {},
      response,
    },
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
    expectedChallenge(given) {
      challenge = given;
      return deps.challenges.isValid(purpose, given);
    },
    credential: {
      id: spec.credentialID,
      publicKey: Uint8Array.from(Buffer.from(spec.publicKey, 'base64url')),
      counter: status?.counter ?? 0,
    },
  }).catch((cause: unknown) => {
    throw refused(cause);
  });
  const { newCounter: counter, credentialBackedUp, credentialDeviceType } = verification.authenticationInfo;
  // An authenticator never changes whether it can be backed up: another one answered.
  if (!verification.verified || credentialDeviceType !== spec.deviceType) throw refused();
  return { challenge, observed: { counter, isBackedUp: credentialBackedUp } };
}

/** Records the use. A counter that did not grow, also by a sign-in meanwhile, tells of a copy of the passkey. */
async function noteUse(
  { kube, namespace, clock }: IdentityDeps,
  { metadata }: Stored<PasskeyResource>,
  observed: { counter: number; isBackedUp: boolean },
): Promise<void> {
  await updateLive(
    kube,
    { type: passkeyType, namespace, name: metadata.name, subresource: 'status', absent: refused },
    (current) => {
      const known = current.status?.counter ?? 0;
      if ((known > 0 || observed.counter > 0) && observed.counter <= known) throw refused();
      return { ...current, status: { ...observed, lastUsedAt: toRfc3339(clock.nowMs()) } };
    },
  );
}

function refused(cause?: unknown): AppError {
  return new AppError(
    'Unauthorized',
    'the passkey is not valid here: it may have been removed, or the attempt took too long; try again',
    { cause },
  );
}
