import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { Agent, fetch } from 'undici';
import type { OwnCertificate } from '../../../../../apiserver/testing/certificate.ts';
import { createMemory, lifetimes, newJwks } from './memory.ts';

/** Somebody with an account at the provider. */
export interface Somebody {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
}

const jwks = newJwks();

export const clientId = 'slipway';
export const clientSecret = 'secret-of-the-client';

export interface IdentityProvider {
  issuer: string;
  /** Makes somebody known to it. */
  know(who: Somebody): void;
  /** Signs somebody in as a browser does; the query of the address that it comes back to. */
  visit(url: string, who: Somebody | 'refuse'): Promise<string>;
  close(): Promise<void>;
}

interface IdentityProviderOptions {
  hasThinTokens?: boolean;
  port?: number;
  /** It is at https:// with it. */
  tls?: OwnCertificate;
}

/** A real OpenID provider on a free local port, with one client. Everybody who comes is let in at once. */
export async function startIdentityProvider(
  redirectUri: string,
  { hasThinTokens = false, port = 0, tls }: IdentityProviderOptions = {},
): Promise<IdentityProvider> {
  const server = (tls ? createTlsServer(tls) : createServer()).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const people = new Map<string, Somebody>();
  const provider = createProvider({ issuer, redirectUri, people, hasThinTokens });
  const callback = provider.callback();
  server.on('request', async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return callback(request, response);
    const details = await provider.interactionDetails(request, response);
    const wanted = String(request.headers['x-who']);
    const refused = { error: 'access_denied', error_description: '<b>no</b>' };
    const result =
      wanted === 'refuse'
        ? refused
        : details.prompt.name === 'login'
          ? { login: { accountId: wanted } }
          : { consent: { grantId: await grantOf(provider, wanted) } };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
  });
  return {
    issuer,
    know: (who) => void people.set(who.sub, who),
    async visit(url, who) {
      if (who !== 'refuse') people.set(who.sub, who);
      return browse(url, who === 'refuse' ? who : who.sub, { redirectUri, ca: tls?.cert });
    },
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Options {
  issuer: string;
  redirectUri: string;
  people: ReadonlyMap<string, Somebody>;
  hasThinTokens: boolean;
}

function createProvider({ issuer, redirectUri, people, hasThinTokens }: Options): Provider {
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // Otherwise addresses are at the userinfo endpoint alone.
    conformIdTokenClaims: hasThinTokens,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ ...people.get(id), sub: id }),
    }),
    adapter: createMemory(),
    jwks,
    ttl: lifetimes,
    cookies: { keys: ['a key of the tests'] },
    pkce: { required: () => true },
  });
  provider.on('server_error', (_context: unknown, error: Error) => console.error(error));
  return provider;
}

async function grantOf(provider: Provider, accountId: string): Promise<string> {
  const grant = new provider.Grant({ accountId, clientId });
  grant.addOIDCScope('openid email profile');
  return grant.save();
}

/** Follows redirects with the cookies that it gets, until the provider sends it back. */
async function browse(
  url: string,
  who: string,
  { redirectUri, ca }: { redirectUri: string; ca: string | undefined },
): Promise<string> {
  const dispatcher = new Agent(ca === undefined ? {} : { connect: { ca } });
  const cookies = new Map<string, string>();
  for (let next = url; ; ) {
    if (next.startsWith(redirectUri)) return new URL(next).search.slice(1);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(next, { dispatcher, redirect: 'manual', headers: { cookie, 'x-who': who } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (!location) throw new Error(`${answer.status} at ${next}: ${await answer.text()}`);
    next = new URL(location, next).href;
  }
}
