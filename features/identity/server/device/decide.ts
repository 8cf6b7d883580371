import type { Principal } from '../../../../apiserver/http/auth/principal.ts';
import { currentSource } from '../../../../apiserver/http/limits/source.ts';
import type { Handler } from '../../../../apiserver/http/pipeline/handler.ts';
import { checkExpiry } from '../../../../apiserver/workspaces/apiKeys/expiry.ts';
import { keyQuotaOf } from '../../../../apiserver/workspaces/apiKeys/quota.ts';
import { standingOf } from '../../../../apiserver/workspaces/directory/principals.ts';
import { checkGrant } from '../../../../apiserver/workspaces/grants.ts';
import { checkQuota } from '../../../../apiserver/workspaces/quota.ts';
import { compact } from '../../../../core/lib/compact.ts';
import { AppError } from '../../../../core/lib/errors.ts';
import type { IdentityDeps } from '../deps.ts';
import { liveGeneration } from '../sessions/generation.ts';
import { deviceIdOf } from './codes.ts';
import { answerDevice, findDevice } from './tickets.ts';

/** Which machine shows a code. */
export function lookUpDeviceSignIn(deps: IdentityDeps): Handler<'lookUpDeviceSignIn'> {
  return async ({ principal, body }) => {
    const { metadata, spec, device } = await findByUserCode(deps, principal, body.userCode);
    const { name, source } = device;
    return {
      body: {
        kind: 'DeviceRequest',
        version: 'v1alpha1',
        name,
        ...compact({ source, createdAt: metadata.creationTimestamp }),
        isSameSource: source !== undefined && source === currentSource(),
        expiresAt: spec.expiresAt,
      },
    };
  };
}

/** Nobody can approve the machine any more. */
export function denyDeviceSignIn(deps: IdentityDeps): Handler<'denyDeviceSignIn'> {
  return async ({ principal, body, idempotencyMark: mark }) => {
    const device = await findByUserCode(deps, principal, body.userCode);
    await answerDevice(deps, { device, user: principal.userId }, mark);
    return { body: undefined, objects: [`sign-in of the machine ${device.device.name}`] };
  };
}

/** Nobody gives a machine more than they have. The key is made when the machine asks again. */
export function approveDeviceSignIn(deps: IdentityDeps): Handler<'approveDeviceSignIn'> {
  return async ({ principal, body: { userCode, ...key }, idempotencyMark: mark }) => {
    const { role, permissions, name } = key;
    checkGrant(principal, { role, permissions, act: `give a machine the role ${role}` });
    checkExpiry(deps.clock, key);
    await checkQuota(deps, keyQuotaOf(deps, principal.userId), '');
    const device = await findByUserCode(deps, principal, userCode);
    const { workspaceId: workspace, userId: user } = principal;
    const standing = await standingOf(deps.directory, workspace, user);
    const grant = {
      workspace,
      name,
      role,
      ...compact({ permissions, expiresAt: key.expiresAt }),
      generation: await liveGeneration(deps, principal),
      ...compact({ membership: standing?.membership.metadata.uid }),
    };
    await answerDevice(deps, { device, user, grant }, mark);
    return {
      body: {
        kind: 'DeviceApproval',
        version: 'v1alpha1',
        device: device.device.name,
        workspaceID: workspace,
        name,
        role,
      },
      objects: [`sign-in of the machine ${device.device.name}`, `role ${role} for ${user}`],
    };
  };
}

async function findByUserCode(deps: IdentityDeps, { userId }: Principal, userCode: string) {
  const { budget, deviceLimits } = deps;
  budget.spend();
  const succeed = deviceLimits.codes.begin(userId, currentSource());
  const found = await findDevice(deps, deviceIdOf(deps, userCode));
  const device = found?.spec.device;
  if (!found || !device)
    throw new AppError(
      'NotFound',
      'no machine shows this code: check it, or run "slipway login" again, because a code is over after ten minutes',
    );
  succeed();
  return { ...found, device };
}
