import type { Principal } from '../../../../apiserver/http/auth/principal.ts';
import { permissionsBeyond, permissionsOf } from '../../../../core/accounts/roles.ts';
import { AppError } from '../../../../core/lib/errors.ts';
import type { IdentityDeps } from '../deps.ts';
import { liveGeneration } from '../sessions/generation.ts';

/**
 * Nobody gets more by another way to sign in than by the credentials in use. Throws Forbidden; Unauthorized if they have just
 * ended.
 */
export async function requireWholeAccess(deps: IdentityDeps, principal: Principal): Promise<void> {
  const { keyId } = principal;
  await liveGeneration(deps, principal);
  if (keyId === undefined || keyId === deps.bootstrapKey.keyId) return;
  const key = await deps.directory.apiKeys.findLive(keyId);
  const held = key && permissionsOf(key.spec.role, key.spec.permissions);
  if (held && permissionsBeyond(held, 'owner').length === 0) return;
  throw new AppError(
    'Forbidden',
    'the API key is narrower than its user: use a key with the role owner and all permissions, or sign in another way',
  );
}
