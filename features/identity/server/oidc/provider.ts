import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import type { Clock } from '../../../../core/lib/clock.ts';
import type { Log } from '../../../../core/lib/log.ts';
import { addressOf } from '../../../../core/lib/text/email.ts';
import type { OidcProviderSettings } from '../../api/settings.ts';
import { createBoundedFetch } from './boundedFetch.ts';
import { asPublicError } from './failures.ts';

/** What a provider says about whoever signed in there. */
export interface OidcClaims {
  issuer: string;
  subject: string;
  /** In lower case, and only if the provider has verified it. */
  verifiedEmail: string | undefined;
  name: string | undefined;
}

/** What must be remembered between leaving for the provider and coming back. */
interface OidcSecrets {
  state: string;
  nonce: string;
  verifier: string;
}

export interface OidcProvider {
  settings: OidcProviderSettings;
  title: string;
  /** Where to send the browser. `purpose` is the part of the state before its dot. */
  begin(purpose: string): Promise<{ url: string; secrets: OidcSecrets }>;
  /** Who came back. `query` is that of the address, without its question mark. */
  finish(query: string, secrets: OidcSecrets): Promise<OidcClaims>;
}

interface ProviderOptions {
  settings: OidcProviderSettings;
  /** The page of the console that the provider sends the browser back to. */
  redirectUri: string;
  /** Read at each use, so that another secret counts without a restart. */
  readSecret(): string;
  clock: Clock;
  log: Log;
}

/** The provider may change its endpoints and keys. */
const discoveredForMs = 600_000;
const timeoutSeconds = 10;

/** A provider that is asked when somebody signs in, and not before: nothing else depends on it. */
export function createOidcProvider(options: ProviderOptions): OidcProvider {
  const { settings, redirectUri, log } = options;
  const title = settings.title || settings.name;
  const configure = createConfigure(options);
  const failed = (error: unknown) => asPublicError(error, { title, name: settings.name, log });
  return {
    settings,
    title,
    async begin(purpose) {
      try {
        const secrets = {
          state: `${purpose}.${randomState()}`,
          nonce: randomNonce(),
          verifier: randomPKCECodeVerifier(),
        };
        const url = buildAuthorizationUrl(await configure(), {
          redirect_uri: redirectUri,
          scope: settings.scopes.join(' '),
          state: secrets.state,
          nonce: secrets.nonce,
          code_challenge_method: 'S256',
          code_challenge: await calculatePKCECodeChallenge(secrets.verifier),
        });
        return { url: url.href, secrets };
      } catch (error) {
        throw failed(error);
      }
    },
    async finish(query, { state, nonce, verifier }) {
      try {
        const address = new URL(`${redirectUri}?${query}`);
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
        const configuration = await configure();
        const tokens = await authorizationCodeGrant(configuration, address, {
          ...checks,
          idTokenExpected: true,
        });
        return await claimsOf(configuration, tokens);
      } catch (error) {
        throw failed(error);
      }
    },
  };
}

function createConfigure({ settings, readSecret, clock }: ProviderOptions): () => Promise<Configuration> {
  const { issuer, clientId, clientAuth, allowHttp } = settings;
  const fetch = createBoundedFetch(settings.ca);
  let known: { configuration: Configuration; secret: string; untilMs: number } | undefined;
  const clients = { post: ClientSecretPost, basic: ClientSecretBasic, none: () => None() } as const;
  return async () => {
    const secret = clientAuth === 'none' ? '' : readSecret();
    if (known && known.secret === secret && clock.nowMs() < known.untilMs) return known.configuration;
    const configuration = await discovery(new URL(issuer), clientId, {}, clients[clientAuth](secret), {
      [customFetch]: fetch,
      timeout: timeoutSeconds,
      execute: allowHttp ? [allowInsecureRequests] : [],
    });
    known = { configuration, secret, untilMs: clock.nowMs() + discoveredForMs };
    return configuration;
  };
}

type Tokens = Awaited<ReturnType<typeof authorizationCodeGrant>>;

/** From the ID token, or from the userinfo endpoint of providers that keep addresses out of their ID tokens. */
async function claimsOf(configuration: Configuration, tokens: Tokens): Promise<OidcClaims> {
  const claims = tokens.claims();
  if (!claims) throw new Error('the provider sent no ID token');
  const { userinfo_endpoint: userinfo } = configuration.serverMetadata();
  const isShort = claims.email === undefined && userinfo !== undefined;
  const more = isShort ? await fetchUserInfo(configuration, tokens.access_token, claims.sub) : claims;
  return {
    issuer: claims.iss,
    subject: claims.sub,
    verifiedEmail: verifiedEmailOf(more),
    name: nameOf(more.name) ?? nameOf(claims.name),
  };
}

function verifiedEmailOf({ email, email_verified: isVerified }: Record<string, unknown>): string | undefined {
  const isAddress = typeof email === 'string' && email.length <= 254 && /^[^@\s]+@[^@\s]+$/.test(email);
  return isAddress && isVerified === true ? addressOf(email) : undefined;
}

function nameOf(name: unknown): string | undefined {
  return typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, 128) : undefined;
}
