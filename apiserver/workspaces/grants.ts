import { isAtLeast, permissionsBeyond } from '../../core/accounts/roles.ts';
import type { Role } from '../../core/api/access/permissions.ts';
import { AppError } from '../../core/lib/errors.ts';
import type { Principal } from '../http/auth/principal.ts';

interface Grant {
  role: Role;
  /** Narrows the role to these permissions. */
  permissions?: readonly string[] | undefined;
  /** What is refused; completes "the API key cannot". */
  act: string;
}

/** Nobody grants what they do not hold: throws Forbidden unless the API key of the request has every permission granted. */
export function checkGrant(principal: Principal, { role, permissions, act }: Grant): void {
  if (!isAtLeast(principal.role, role)) {
    const message = `the API key has the role ${principal.role} in this workspace and cannot ${act}`;
    throw new AppError('Forbidden', `${message}: ask someone with the role ${role}`);
  }
  const missing = permissionsBeyond(principal.permissions, role, permissions);
  if (missing.length === 0) return;
  throw new AppError(
    'Forbidden',
    `the API key cannot ${act}, because it lacks ${missing.join(', ')}: use a key that has them`,
  );
}
