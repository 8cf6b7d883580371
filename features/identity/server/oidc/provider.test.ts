import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ownCertificate } from '../../../../apiserver/testing/certificate.ts';
import { silentLog } from '../../../../core/lib/log.ts';
import { createManualClock } from '../../../../core/lib/manualClock.ts';
import { oidcSettingsSchema } from '../../api/settings.ts';
import { createOidcProvider } from './provider.ts';
import {
  clientId,
  clientSecret,
  type IdentityProvider,
  startIdentityProvider,
} from './testing/identityProvider.ts';

const redirectUri = 'https://slipway.example/sign-in/callback';
const clock = createManualClock(Date.parse('2030-01-01T00:00:00Z'));
let real: IdentityProvider;
beforeAll(async () => {
  real = await startIdentityProvider(redirectUri);
});
afterAll(() => real.close());

function client(given: object = {}, readSecret = () => clientSecret) {
  const base = { name: 'staff', title: 'Staff', issuer: real.issuer, clientId, allowHttp: true, ...given };
  const [settings] = oidcSettingsSchema.parse({ providers: [base] }).providers;
  if (!settings) throw new Error('no settings');
  return createOidcProvider({ settings, redirectUri, readSecret, clock, log: silentLog });
}

const ada = { sub: 'ada', email: 'Ada@Example.com', email_verified: true, name: 'Ada' };

test.each(['post', 'basic'])('a real provider says who came back (client_secret_%s)', async (clientAuth) => {
  const one = client({ clientAuth });
  const { url, secrets } = await one.begin('signIn');
  expect(new URL(url).searchParams.get('code_challenge_method')).toBe('S256');
  expect(await one.finish(await real.visit(url, ada), secrets)).toEqual({
    issuer: real.issuer,
    subject: 'ada',
    verifiedEmail: 'ada@example.com',
    name: 'Ada',
  });
});

test('a provider with an authority of its own is used once the authority is known', async () => {
  const own = ownCertificate();
  const secure = await startIdentityProvider(redirectUri, { tls: own });
  const at = (ca: string) => client({ issuer: secure.issuer, allowHttp: false, ca });
  await expect(at('').begin('signIn')).rejects.toThrow('does not answer');
  await expect(at(ownCertificate().cert).begin('signIn')).rejects.toThrow('does not answer');
  const one = at(own.cert);
  const { url, secrets } = await one.begin('signIn');
  expect((await one.finish(await secure.visit(url, ada), secrets)).subject).toBe('ada');
  await secure.close();
});

test('an address that only the userinfo endpoint knows is found there', async () => {
  const thin = await startIdentityProvider(redirectUri, { hasThinTokens: true });
  const one = client({ issuer: thin.issuer });
  const { url, secrets } = await one.begin('signIn');
  const claims = await one.finish(await thin.visit(url, ada), secrets);
  expect(claims.verifiedEmail).toBe('ada@example.com');
  await thin.close();
});

test.each([
  ['the nonce of another attempt', 'nonce'],
  ['the verifier of another attempt', 'verifier'],
  ['the state of another attempt', 'state'],
] as const)('%s signs nobody in', async (_what, part) => {
  const one = client();
  const [mine, other] = [await one.begin('signIn'), await one.begin('signIn')];
  const query = await real.visit(mine.url, ada);
  const secrets = { ...mine.secrets, [part]: other.secrets[part] };
  await expect(one.finish(query, secrets)).rejects.toMatchObject({ reason: 'Unauthorized' });
});

test('another secret counts without a restart', async () => {
  let secret = 'old';
  const one = client({}, () => secret);
  const first = await one.begin('signIn');
  await expect(one.finish(await real.visit(first.url, ada), first.secrets)).rejects.toMatchObject({
    reason: 'Unavailable',
  });
  secret = clientSecret;
  const { url, secrets } = await one.begin('signIn');
  expect((await one.finish(await real.visit(url, ada), secrets)).subject).toBe('ada');
});

describe('an answer of the provider', () => {
  async function answering(listener: RequestListener) {
    const server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { issuer, close: () => server.close() };
  }

  test.each<[string, string, RequestListener]>([
    ['that is too large', 'Unavailable', (_request, response) => response.end(`"${'x'.repeat(2 ** 21)}"`)],
    ['that is not JSON', 'Unauthorized', (_request, response) => response.end('<html>')],
    [
      'that redirects',
      'Unavailable',
      (_request, response) => response.writeHead(302, { location: '/x' }).end(),
    ],
    ['that breaks off', 'Unavailable', (request) => request.socket.destroy()],
  ])('%s is %s, and not shown', async (_what, reason, listener) => {
    const { issuer, close } = await answering(listener);
    await expect(client({ issuer }).begin('signIn')).rejects.toMatchObject({
      reason,
      message: expect.stringMatching(/^(Staff does not answer|what Staff answered)/),
    });
    close();
  });
});

describe('settings', () => {
  const parse = (given: object) =>
    oidcSettingsSchema.safeParse({
      providers: [{ name: 'a', issuer: 'https://id.example', clientId: 'x', ...given }],
    });
  test.each([
    ['an issuer at http://', { issuer: 'http://id.example' }, 'allowHttp'],
    ['domains that nobody asks for', { domains: ['example.com'] }, 'domains'],
    ['no domains where they decide', { signUp: 'domains' }, 'domains'],
    ['scopes without openid', { scopes: ['email'] }, 'openid'],
  ])('refuse %s', (_what, given, message) => {
    const { success, error } = parse(given);
    expect([success, error?.message]).toEqual([false, expect.stringContaining(message)]);
  });

  test('allow an issuer at http:// where that is said', () => {
    expect(parse({ issuer: 'http://id.example', allowHttp: true }).success).toBe(true);
  });
});
