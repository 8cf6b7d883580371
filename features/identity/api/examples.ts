import type { Example } from '../../../core/api/feature.ts';

const oidcCallback = 'code=SplxlOBeZQQYbYS6WxSbIA&state=signIn.af0ifjsldkj';
const walletAddress = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const walletProof = { challenge: 'slipway:v2:k1:AAAA:AAAA', signature: `0x${'1b'.repeat(65)}` };

const credentialId = 'AQIDBAUGBwgJCgsMDQ4PEA';
const credential = { id: credentialId, rawId: credentialId, type: 'public-key' as const };

export const examples = {
  createOidcAttempt: { request: { next: '/networks' } },
  createOidcSession: { request: { callback: oidcCallback } },
  createWalletChallenge: { request: { address: walletAddress } },
  createWalletSession: { request: walletProof },
  createIdentity: { request: { callback: oidcCallback } },
  createIdentityChallenge: { request: { address: walletAddress } },
  createSession: { request: { apiKey: `k${'0a'.repeat(12)}.${'x'.repeat(43)}` } },
  createPasskey: {
    request: {
      name: 'laptop',
      credential: {
        ...credential,
        response: { clientDataJSON: 'eyJ0eXBlIjoi', attestationObject: 'o2NmbXRk', transports: ['internal'] },
      },
    },
  },
  signInWithPasskey: {
    request: {
      ...credential,
      response: {
        clientDataJSON: 'eyJ0eXBlIjoi',
        authenticatorData: 'SZYN5YgOjGh0',
        signature: 'MEUCIQDy',
        userHandle: 'dTBhMGEwYQ',
      },
    },
  },
  replacePassword: { request: { password: 'correct horse battery' } },
  signInWithPassword: { request: { email: 'ada@example.com', password: 'correct horse battery' } },
  replacePasskey: { request: { name: 'laptop' } },
  signInWithLink: { request: { token: `l${'0a'.repeat(12)}.${'x'.repeat(43)}` } },
  createDeviceSignIn: { request: { name: 'ada-laptop' } },
  pollDeviceSignIn: { request: { deviceCode: `${'0a'.repeat(20)}.${'x'.repeat(43)}` } },
  createDeviceApiKey: { request: { deviceCode: `${'0a'.repeat(20)}.${'x'.repeat(43)}` } },
  lookUpDeviceSignIn: { request: { userCode: 'BCDF-GHJK' } },
  denyDeviceSignIn: { request: { userCode: 'BCDF-GHJK' } },
  approveDeviceSignIn: { request: { userCode: 'BCDF-GHJK', name: 'ada-laptop', role: 'developer' } },
} as const satisfies Record<string, Example>;
