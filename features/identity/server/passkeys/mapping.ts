import type { Stored } from '../../../../core/kube/kube.ts';
import { compact } from '../../../../core/lib/compact.ts';
import { AppError } from '../../../../core/lib/errors.ts';
import { hashOf } from '../../../../core/lib/hash.ts';
import type { PasskeyResource } from '../../api/resources/passkey.ts';
import type { Passkey } from '../../api/rest/passkey.ts';
import type { IdentityDeps } from '../deps.ts';
import { requireCookies } from '../sessions/openSession.ts';

/** The name of the object with a credential: none is enrolled twice. */
export function passkeyIdOf(credentialId: string): string {
  return `y${hashOf(['passkey', credentialId]).slice(0, 24)}`;
}

/** What passkeys are bound to. Throws Forbidden where browsers have none. */
export function requirePasskeys(deps: Pick<IdentityDeps, 'cookies' | 'relyingParty'>) {
  requireCookies(deps);
  const { id: rpID, origin } = deps.relyingParty;
  if (rpID !== undefined) return { rpID, origin };
  throw new AppError(
    'Forbidden',
    'there are no passkeys at this address: set publicUrl to an https:// URL with a domain',
  );
}

export function toPasskey({ metadata, spec, status }: Stored<PasskeyResource>): Passkey {
  return {
    kind: 'Passkey',
    version: 'v1alpha1',
    id: metadata.name,
    userID: spec.user,
    name: spec.name,
    isBackedUp: status?.isBackedUp ?? false,
    ...compact({ createdAt: metadata.creationTimestamp, lastUsedAt: status?.lastUsedAt }),
  };
}

export const describePasskey = ({ metadata, spec }: Stored<PasskeyResource>) =>
  `passkey ${metadata.name} of ${spec.user}`;
