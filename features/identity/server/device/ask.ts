import { currentSource } from '../../../../apiserver/http/limits/source.ts';
import type { Handler } from '../../../../apiserver/http/pipeline/handler.ts';
import { insertApiKey } from '../../../../apiserver/workspaces/apiKeys/apiKeyObject.ts';
import { keyQuotaOf } from '../../../../apiserver/workspaces/apiKeys/quota.ts';
import { standingOf } from '../../../../apiserver/workspaces/directory/principals.ts';
import { checkQuota } from '../../../../apiserver/workspaces/quota.ts';
import {
  formatToken,
  hashOfSecret,
  isSameHash,
  newSecret,
  parseToken,
} from '../../../../core/accounts/credentials.ts';
import { membershipName, newId } from '../../../../core/accounts/ids.ts';
import type { Stored } from '../../../../core/kube/kube.ts';
import { toRfc3339 } from '../../../../core/lib/clock.ts';
import { compact } from '../../../../core/lib/compact.ts';
import { AppError } from '../../../../core/lib/errors.ts';
import type { SignInTicketResource } from '../../api/resources/ticket.ts';
import type { IdentityDeps } from '../deps.ts';
import { liveGeneration } from '../sessions/generation.ts';
import { requireCookies } from '../sessions/openSession.ts';
import { isFirstUse } from '../signIn/tickets.ts';
import { deviceIdOf, isDeviceId, newUserCode } from './codes.ts';
import { pollSeconds } from './limits.ts';
import { createDevice, findAnswer, findDevice } from './tickets.ts';

const lifetimeMs = 10 * 60_000;

/** A machine asks. Nobody knows yet whom. */
export function createDeviceSignIn(deps: IdentityDeps): Handler<'createDeviceSignIn'> {
  const { pepper, clock, relyingParty, deviceLimits } = deps;
  return async ({ body: { name }, random, idempotencyMark: mark }) => {
    // Its page is for people who are signed in.
    requireCookies(deps);
    deviceLimits.begin();
    const userCode = newUserCode(random);
    const id = deviceIdOf(deps, userCode);
    const secret = newSecret('device', random);
    const expiresAt = toRfc3339(clock.nowMs() + lifetimeMs);
    const device = { name, ...compact({ source: currentSource() || undefined }) };
    const secretHash = hashOfSecret(pepper, 'device', secret).toString('hex');
    await createDevice(deps, { id, expiresAt, device, secretHash }, mark);
    const url = `${relyingParty.consoleUrl}/sign-in/device`;
    return {
      body: {
        kind: 'DeviceSignIn',
        version: 'v1alpha1',
        deviceCode: formatToken(id, secret),
        userCode,
        url,
        urlWithCode: `${url}?code=${userCode}`,
        intervalSeconds: pollSeconds,
        expiresAt,
      },
      objects: [`sign-in of the machine ${name}`],
    };
  };
}

/** Tells a machine what became of its request. */
export function pollDeviceSignIn(deps: IdentityDeps): Handler<'pollDeviceSignIn'> {
  return async ({ body }) => {
    const device = await findByCode(deps, body.deviceCode, true);
    const answer = await findAnswer(deps, device);
    const { expiresAt } = device.spec;
    const said = answer?.spec.grant ? 'Approved' : 'Denied';
    const state = answer ? said : 'Pending';
    return { body: { kind: 'DeviceSignInState', version: 'v1alpha1', state, expiresAt } };
  };
}

/** Creates the key that a user approved, and shows it to the machine alone. */
export function createDeviceApiKey(deps: IdentityDeps): Handler<'createDeviceApiKey'> {
  return async ({ body, random, idempotencyMark: mark }) => {
    const device = await findByCode(deps, body.deviceCode);
    const answer = await findAnswer(deps, device);
    if (!answer) throw new AppError('Conflict', 'nobody has approved this machine yet');
    const { grant, user = '' } = answer.spec;
    if (!grant) throw new AppError('Forbidden', 'access was denied in the console');
    const { workspace, membership, generation, ...key } = grant;
    // As the cluster has it: the user may have been removed and invited again.
    await deps.directory.memberships.findLive(membershipName(workspace, user));
    const standing = await standingOf(deps.directory, workspace, user);
    const { uid } = standing?.membership.metadata ?? {};
    if (!standing || (membership ?? uid) !== uid)
      throw new AppError('Forbidden', 'whoever approved is no longer a member of the workspace');
    if (generation !== undefined && generation !== (await liveGeneration(deps, { userId: user })))
      throw new AppError(
        'Forbidden',
        'whoever approved has changed or removed a way to sign in since: run "slipway login" again',
      );
    const quota = keyQuotaOf(deps, user);
    await checkQuota(deps, quota, newId('apiKey', random));
    const request = { what: 'device', value: device.metadata.name };
    if (!(await isFirstUse(deps, request, mark))) throw unknownDevice();
    const name = device.spec.device?.name;
    const made = await insertApiKey(deps, standing, {
      ...key,
      device: name,
      quota,
      random,
      mark,
      founder: standing.membership,
    });
    return { body: made, objects: [`API key ${made.id} of ${user} for the machine ${name}`] };
  };
}

/** The machine of a device code. Throws the same NotFound whatever is wrong with the code. */
async function findByCode(
  deps: IdentityDeps,
  deviceCode: string,
  isPoll = false,
): Promise<Stored<SignInTicketResource>> {
  const parts = parseToken(deviceCode);
  if (!parts || !isDeviceId(parts.id)) throw unknownDevice();
  if (isPoll) deps.deviceLimits.poll(parts.id);
  deps.budget.spend();
  const device = await findDevice(deps, parts.id);
  const hash = hashOfSecret(deps.pepper, 'device', parts.secret);
  const stored = Buffer.from(device?.spec.secretHash ?? '', 'hex');
  if (!device || !isSameHash(hash, stored)) throw unknownDevice();
  return device;
}

function unknownDevice(): AppError {
  return new AppError(
    'NotFound',
    'the request of this machine is over: it lasts ten minutes and gives one API key; run "slipway login" again',
  );
}
