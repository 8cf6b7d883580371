import { randomBytes } from 'node:crypto';
import type { Sealer } from '../../../core/accounts/seal.ts';
import type { Installation } from '../../../core/api/installation.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import type { Log } from '../../../core/lib/log.ts';
import type { Mailer } from '../../mail/mailer.ts';
import { createOidcAttempts } from '../../oidc/attempts.ts';
import { createOidcProvider } from '../../oidc/provider.ts';
import type { WorkspaceDeps } from '../deps.ts';

export interface SignInSettings extends Pick<Installation, 'oidc' | 'wallets'> {
  /** Undefined without a mail server. */
  mailer: Mailer | undefined;
  /** The client secret of a provider, as it is now. */
  readClientSecret(provider: string): string;
}

interface Options {
  signIn: SignInSettings;
  sealer: Sealer;
  namespace: string;
  publicUrl: string;
  clock: Clock;
  log: Log;
}

/** The page of the console that providers send browsers back to. */
const callbackPage = '/sign-in/callback';

/** What the handlers of signing in elsewhere need. No provider is asked for anything yet. */
export function createSignInDeps(
  options: Options,
): Pick<WorkspaceDeps, 'random' | 'providers' | 'oidcAttempts' | 'wallets' | 'hasMail'> {
  const { signIn, publicUrl, clock, log } = options;
  const { oidc, wallets, mailer, readClientSecret } = signIn;
  return {
    random: randomBytes,
    oidcAttempts: createOidcAttempts(options),
    providers: oidc.providers.map((settings) =>
      createOidcProvider({
        settings,
        clock,
        log,
        redirectUri: `${publicUrl}${callbackPage}`,
        readSecret: () => readClientSecret(settings.name),
      }),
    ),
    wallets,
    hasMail: mailer !== undefined,
  };
}
