import { isId } from '../../../core/accounts/ids.ts';
import { AppError } from '../../../core/lib/errors.ts';
import type { Principal } from '../../http/auth/principal.ts';
import type { WorkspaceDeps } from '../deps.ts';

/**
 * Throws Forbidden unless the caller has all the rights of its user: what is linked signs in with all of them, so that a
 * key for less must not link anything.
 */
export async function checkIsUser({ directory }: WorkspaceDeps, { keyId }: Principal): Promise<void> {
  // The first key of the installation is no object, and not limited.
  if (keyId === undefined || !isId('apiKey', keyId)) return;
  const key = await directory.apiKeys.find(keyId);
  if (key?.spec.role === 'owner' && key.spec.permissions === undefined) return;
  throw new AppError(
    'Forbidden',
    'this API key is limited, and what it would link is not: sign in another way, or with a key that has the role owner and all permissions',
  );
}
