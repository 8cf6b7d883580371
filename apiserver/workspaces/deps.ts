import type { KeyObject } from 'node:crypto';
import type { DefaultWorkspace } from '../../core/accounts/ids.ts';
import type { Sealer } from '../../core/accounts/seal.ts';
import type { Installation } from '../../core/api/installation.ts';
import { adminUserId } from '../../core/api/names.ts';
import type { Clock } from '../../core/lib/clock.ts';
import type { SessionCookies } from '../http/auth/cookies.ts';
import type { Principal } from '../http/auth/principal.ts';
import type { Cursors } from '../http/paging/cursor.ts';
import type { OidcAttempts } from '../oidc/attempts.ts';
import type { OidcProvider } from '../oidc/provider.ts';
import type { Store } from '../store/kubeErrors.ts';
import type { BootstrapKey } from './apiKeys/bootstrapKey.ts';
import type { LiveKeySource } from './apiKeys/keySource.ts';
import type { DeviceLimits } from './device/limits.ts';
import type { Budget } from './directory/budget.ts';
import type { Directory } from './directory/directory.ts';
import type { PasswordHasher } from './passwords/hasher.ts';
import type { Attempts } from './signIn/attempts.ts';
import type { Challenges } from './signIn/challenges.ts';
import type { RelyingParty } from './signIn/relyingParty.ts';

/** Dependencies of the handlers of the Workspace API. */
export interface WorkspaceDeps {
  kube: Store;
  directory: Directory;
  /** The namespace of the service, where accounts are stored. */
  namespace: string;
  defaultWorkspace: DefaultWorkspace;
  bootstrapKey: BootstrapKey;
  /** All API keys, by id. */
  keys: LiveKeySource;
  /** Whose API key a token is. Rejects with Unauthorized. */
  keyHolder(token: string): Promise<Principal>;
  /** Undefined where users reach the service without TLS: nobody signs in there. */
  cookies: SessionCookies | undefined;
  relyingParty: RelyingParty;
  challenges: Challenges;
  hasher: PasswordHasher;
  /** Wrong passwords. */
  attempts: Attempts;
  deviceLimits: DeviceLimits;
  pepper: KeyObject;
  /** Seals what browsers keep for the service. */
  sealer: Sealer;
  /** New random bytes. */
  random(length: number): Buffer;
  /** Where users reach the service. */
  publicUrl: string;
  /** The OpenID providers, and the sign-ins that are under way there. */
  providers: readonly OidcProvider[];
  oidcAttempts: OidcAttempts;
  wallets: Installation['wallets'];
  /** Whether invitations are mailed. */
  hasMail: boolean;
  /** Bounds the live lookups that unauthenticated callers can cause. */
  budget: Budget;
  quota: Pick<Installation['quota'], 'workspaces' | 'accounts' | 'accountsPerUser' | 'apiKeys'>;
  cursors: Cursors;
  clock: Clock;
}

/** The administrator cannot leave the default workspace, because the initial key of the installation belongs to it. */
export function isFixedMember(
  { defaultWorkspace }: WorkspaceDeps,
  workspaceId: string,
  userId: string,
): boolean {
  return workspaceId === defaultWorkspace.id && userId === adminUserId;
}
