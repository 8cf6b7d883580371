import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { oidcSettingsSchema } from '../../core/api/signInSettings.ts';
import { createManualClock } from '../../core/lib/manualClock.ts';
import { silentLog } from '../../core/lib/log.ts';
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

function client(given: object = {}, secret = clientSecret) {
  const base = { name: 'staff', title: 'Staff', issuer: real.issuer, clientId, allowHttp: true, ...given };
  const [settings] = oidcSettingsSchema.parse({ providers: [base] }).providers;
  if (!settings) throw new Error('no settings');
  return createOidcProvider({ settings, redirectUri, readSecret: () => secret, clock, log: silentLog });
}

const ada = { sub: 'ada', email: 'Ada@Example.com', email_verified: true, name: 'Ada' };

test.each(['post', 'basic'] as const)('a real provider says who came back (client_secret_%s)', async (clientAuth) => {
  const one = client(clientAuth === 'post' ? {} : { clientAuth });
  const { url, secrets } = await one.begin('signIn');
  expect(new URL(url).searchParams.get('code_challenge_method')).toBe('S256');
  expect(await one.finish(await real.visit(url, ada), secrets)).toEqual({
    issuer: real.issuer,
    subject: 'ada',
    verifiedEmail: 'ada@example.com',
    name: 'Ada',
  });
});
