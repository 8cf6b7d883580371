import { compact } from '../../../core/lib/compact.ts';
import { AppError } from '../../../core/lib/errors.ts';
import type { Principal } from '../../http/auth/principal.ts';
import { currentSource } from '../../http/limits/source.ts';
import type { Handler } from '../../http/pipeline/handler.ts';
import { checkExpiry } from '../apiKeys/expiry.ts';
import { keyQuotaOf } from '../apiKeys/quota.ts';
import type { WorkspaceDeps } from '../deps.ts';
import { standingOf } from '../directory/principals.ts';
import { checkGrant } from '../grants.ts';
import { checkQuota } from '../quota.ts';
import { liveGeneration } from '../sessions/generation.ts';
import { deviceIdOf } from './codes.ts';
import { answerDevice, findDevice } from './tickets.ts';

/** Which machine shows a code. */
export function lookUpDeviceSignIn(deps: WorkspaceDeps): Handler<'lookUpDeviceSignIn'> {
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
export function denyDeviceSignIn(deps: WorkspaceDeps): Handler<'denyDeviceSignIn'> {
  return async ({ principal, body, idempotencyMark: mark }) => {
    const device = await findByUserCode(deps, principal, body.userCode);
    await answerDevice(deps, { device, user: principal.userId }, mark);
    return { body: undefined, objects: [`sign-in of the machine ${device.device.name}`] };
  };
}

/** Nobody gives a machine more than they have. The key is made when the machine asks again. */
export function approveDeviceSignIn(deps: WorkspaceDeps): Handler<'approveDeviceSignIn'> {
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

async function findByUserCode(deps: WorkspaceDeps, { userId }: Principal, userCode: string) {
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
