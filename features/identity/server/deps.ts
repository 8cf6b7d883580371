import { randomBytes } from 'node:crypto';
import type { Surroundings } from '../../../apiserver/feature.ts';
import { createAuthenticate } from '../../../apiserver/http/auth/auth.ts';
import type { Principal } from '../../../apiserver/http/auth/principal.ts';
import { isPlainHttp } from '../../../apiserver/plainHttp.ts';
import type { WorkspaceDeps } from '../../../apiserver/workspaces/deps.ts';
import type { Lookup } from '../../../apiserver/workspaces/directory/lookup.ts';
import type { Sealer } from '../../../core/accounts/seal.ts';
import type { Installation } from '../../../core/api/installation.ts';
import { type SessionResource, sessionType } from '../api/resources/session.ts';
import { createDeviceLimits, type DeviceLimits } from './device/limits.ts';
import { createOidcAttempts, type OidcAttempts } from './oidc/attempts.ts';
import { createOidcProvider, type OidcProvider } from './oidc/provider.ts';
import { createPasswordHasher, type PasswordHasher } from './passwords/hasher.ts';
import { createSessionCookies, type SessionCookies } from './sessions/cookies.ts';
import { type Attempts, createGuesses } from './signIn/attempts.ts';
import { type Challenges, createChallenges } from './signIn/challenges.ts';
import { createRelyingParty, type RelyingParty } from './signIn/relyingParty.ts';

/** Dependencies of the handlers. */
export interface IdentityDeps extends WorkspaceDeps {
  sessions: Lookup<SessionResource>;
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
  /** Seals what browsers keep for the service. */
  sealer: Sealer;
  /** New random bytes. */
  random(length: number): Buffer;
  /** The OpenID providers, and the sign-ins that are under way there. */
  providers: readonly OidcProvider[];
  oidcAttempts: OidcAttempts;
  wallets: Installation['wallets'];
}

/** The page of the console that providers send browsers back to. */
const callbackPage = '/sign-in/callback';

/** What the handlers need. No provider is asked for anything yet. */
export function createIdentityDeps(surroundings: Surroundings): IdentityDeps {
  const { accounts, watchAccounts, installation, limits, sealer } = surroundings;
  const { publicUrl, pepper, clock } = accounts;
  return {
    ...accounts,
    sealer,
    sessions: watchAccounts(sessionType),
    keyHolder: keyHolderOf(surroundings),
    cookies: isPlainHttp(publicUrl) ? undefined : createSessionCookies(publicUrl),
    relyingParty: createRelyingParty(publicUrl),
    challenges: createChallenges({ pepper, clock }),
    hasher: createPasswordHasher({ pepper, clock, budgets: limits.budgets }),
    deviceLimits: createDeviceLimits(clock),
    attempts: createGuesses(clock, 'too many wrong passwords: wait, or sign in another way'),
    random: randomBytes,
    providers: providersOf(surroundings),
    oidcAttempts: createOidcAttempts({ ...accounts, sealer }),
    wallets: installation.wallets,
  };
}

function keyHolderOf({ accounts, reads, limits }: Surroundings): IdentityDeps['keyHolder'] {
  const authenticate = createAuthenticate({ ...accounts, ...limits, ...reads });
  return async (token) => {
    const caller = await authenticate.caller({ headers: { authorization: `Bearer ${token}` } });
    return caller.confirm([]);
  };
}

function providersOf({ accounts, installation, readSecret, log }: Surroundings): OidcProvider[] {
  const { publicUrl, clock } = accounts;
  return installation.oidc.providers.map((settings) =>
    createOidcProvider({
      settings,
      clock,
      log,
      redirectUri: `${publicUrl}${callbackPage}`,
      readSecret: () => readSecret(`oidc.${settings.name}.client-secret`),
    }),
  );
}
