import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server';
import type { Handler } from '../../../../apiserver/http/pipeline/handler.ts';
import { createOnce } from '../../../../apiserver/store/createOnce.ts';
import { notFound } from '../../../../apiserver/store/find.ts';
import { updateLive } from '../../../../apiserver/store/updateLive.ts';
import { listLive } from '../../../../apiserver/workspaces/list.ts';
import { atMost, checkQuota, keepWithinQuota, type Quota } from '../../../../apiserver/workspaces/quota.ts';
import { apiVersion, labels } from '../../../../core/api/names.ts';
import type { BodyOf } from '../../../../core/api/operations/operations.ts';
import type { UserResource } from '../../../../core/api/resources/accountResources.ts';
import { ownerReferenceTo } from '../../../../core/api/resources/kubeObject.ts';
import type { Stored } from '../../../../core/kube/kube.ts';
import { compact } from '../../../../core/lib/compact.ts';
import { AppError } from '../../../../core/lib/errors.ts';
import { type PasskeyResource, passkeyType } from '../../api/resources/passkey.ts';
import type { IdentityDeps } from '../deps.ts';
import { challengeLifetimeMs } from '../signIn/challenges.ts';
import { isFirstUse } from '../signIn/tickets.ts';
import { requireWholeAccess } from '../signIn/wholeAccess.ts';
import { describePasskey, passkeyIdOf, requirePasskeys, toPasskey } from './mapping.ts';

const purposeOf = (userId: string) => `enrol a passkey of ${userId}`;

/** What the browser of the caller makes a passkey with: one that names its user, and that verifies people. */
export function getPasskeyCreationOptions(deps: IdentityDeps): Handler<'getPasskeyCreationOptions'> {
  return async ({ principal, random }) => {
    const { rpID } = requirePasskeys(deps);
    await requireWholeAccess(deps, principal);
    const { userId } = principal;
    const [user, stored] = await Promise.all([
      deps.directory.users.find(userId),
      listLive(deps, passkeyType, { 'spec.user': userId }),
    ]);
    const name = user?.spec.email ?? user?.spec.name ?? userId;
    const { hints: _hints, ...options } = await generateRegistrationOptions({
      rpName: 'Slipway',
      rpID,
      userName: name,
      userDisplayName: user?.spec.name ?? name,
      userID: Uint8Array.from(Buffer.from(userId)),
      challenge: deps.challenges.create(purposeOf(userId), random),
      timeout: challengeLifetimeMs,
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    return {
      body: {
        challenge: options.challenge,
        rp: { id: rpID, name: options.rp.name },
        user: { ...options.user },
        pubKeyCredParams: options.pubKeyCredParams.map(({ alg }) => ({ alg, type: 'public-key' as const })),
        timeout: challengeLifetimeMs,
        excludeCredentials: stored.map(({ spec }) => ({
          id: spec.credentialID,
          type: 'public-key' as const,
          ...compact({ transports: spec.transports }),
        })),
        authenticatorSelection: {
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required',
        },
        attestation: 'none',
      },
    };
  };
}

/** Enrols what the browser made. */
export function createPasskey(deps: IdentityDeps): Handler<'createPasskey'> {
  return async ({ principal, body, idempotencyMark: mark }) => {
    await requireWholeAccess(deps, principal);
    const { userId } = principal;
    const enrolled = await verified(deps, userId, body);
    const user = await deps.directory.users.find(userId);
    if (!user) throw notFound('User');
    const object = newPasskey(user, body, enrolled);
    await checkQuota(deps, quotaOf(userId), object.metadata.name);
    if (!(await isFirstUse(deps, { what: 'challenge', value: enrolled.challenge }, mark))) throw used();
    const created = await createOnce(deps.kube, { type: passkeyType, object, mark });
    await keepWithinQuota(deps, quotaOf(userId), created);
    const observed = { counter: enrolled.credential.counter, isBackedUp: enrolled.credentialBackedUp };
    return {
      body: toPasskey(await withStatus(deps, created, observed)),
      objects: [describePasskey(created)],
    };
  };
}

function newPasskey(
  user: Stored<UserResource>,
  { name, credential: { response } }: BodyOf<'createPasskey'>,
  { credential, credentialDeviceType: deviceType }: Awaited<ReturnType<typeof verified>>,
): PasskeyResource {
  const { name: userId, namespace } = user.metadata;
  return {
    apiVersion,
    kind: 'Passkey',
    metadata: {
      name: passkeyIdOf(credential.id),
      namespace,
      labels: { [labels.user]: userId },
      ownerReferences: [ownerReferenceTo(user)],
    },
    spec: {
      user: userId,
      name,
      credentialID: credential.id,
      deviceType,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      ...compact({ transports: response.transports }),
    },
  };
}

async function verified(
  { challenges, ...deps }: IdentityDeps,
  userId: string,
  { credential }: BodyOf<'createPasskey'>,
) {
  const { rpID, origin } = requirePasskeys(deps);
  const response = {
    id: credential.id,
    rawId: credential.rawId,
    type: credential.type,
    clientExtensionResults: {},
    response: {
      clientDataJSON: credential.response.clientDataJSON,
      attestationObject: credential.response.attestationObject,
    },
  };
  let challenge = '';
  const verification = await verifyRegistrationResponse({
    response,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
    expectedChallenge(given) {
      challenge = given;
      return challenges.isValid(purposeOf(userId), given);
    },
  }).catch((cause: unknown) => {
    throw invalid(cause);
  });
  if (!verification.verified) throw invalid();
  return { ...verification.registrationInfo, challenge };
}

function withStatus(
  { kube, namespace }: IdentityDeps,
  { metadata }: Stored<PasskeyResource>,
  status: PasskeyResource['status'],
): Promise<Stored<PasskeyResource>> {
  const target = { type: passkeyType, namespace, name: metadata.name, subresource: 'status' } as const;
  const absent = () => notFound('Passkey');
  return updateLive(kube, { ...target, absent }, (current) => ({ ...current, ...compact({ status }) }));
}

const maxPasskeys = 10;

function quotaOf(userId: string): Quota<PasskeyResource> {
  return {
    type: passkeyType,
    selection: { 'spec.user': userId },
    refuse: atMost(
      maxPasskeys,
      (count) => new AppError('Conflict', `you have ${count} passkeys, the maximum: remove one first`),
    ),
  };
}

function used(): AppError {
  return new AppError('Conflict', 'this answer of the passkey was used already: start again');
}

function invalid(cause?: unknown): AppError {
  return new AppError(
    'BadRequest',
    'the passkey cannot be enrolled: its challenge has expired, it is for another address, or it did not verify its user; try again',
    { cause },
  );
}
