import type { Feature } from '../../core/api/feature.ts';
import { access } from './api/access.ts';
import { examples } from './api/examples.ts';
import { deviceOperations } from './api/operations/device.ts';
import { identityOperations } from './api/operations/identity.ts';
import { passkeyOperations } from './api/operations/passkey.ts';
import { passwordOperations } from './api/operations/password.ts';
import { sessionOperations } from './api/operations/session.ts';
import { signInOperations } from './api/operations/signIn.ts';
import { definitions } from './api/resources/definitions.ts';
import { schemas } from './api/schemas.ts';
import { oidcSettingsSchema, smtpSettingsSchema, walletSettingsSchema } from './api/settings.ts';

/** Signs people in with a browser, and gives machines without one an API key. */
export const feature = {
  groups: [
    { name: 'Sessions', description: 'Signing in with a browser.', operations: sessionOperations },
    {
      name: 'Identities',
      description: 'Signing in with an OpenID provider or a wallet.',
      operations: identityOperations,
    },
    { name: 'Sign-in', description: 'Other ways to sign in than an API key.', operations: signInOperations },
    {
      name: 'Machines',
      description: 'API keys for machines without a browser, approved in the console.',
      operations: deviceOperations,
    },
    {
      name: 'Passkeys',
      description: 'Signing in without a name and a password.',
      operations: passkeyOperations,
    },
    {
      name: 'Password',
      description: 'Signing in with an address and a password.',
      operations: passwordOperations,
    },
  ],

  schemas,
  examples,
  client: {
    nouns: { Session: 'sessions', Passkey: 'passkeys', SignIn: 'signIn' },
    methods: {
      signInWithLink: 'signIn.withLink',
      createDeviceSignIn: 'devices.ask',
      pollDeviceSignIn: 'devices.poll',
      createDeviceApiKey: 'devices.createApiKey',
      lookUpDeviceSignIn: 'devices.lookUp',
      denyDeviceSignIn: 'devices.deny',
      approveDeviceSignIn: 'devices.approve',
      signInWithPasskey: 'signIn.withPasskey',
      getPasskeySignInOptions: 'signIn.getPasskeyOptions',
      signInWithPassword: 'signIn.withPassword',
      getPassword: 'account.getPassword',
      replacePassword: 'account.replacePassword',
      deletePassword: 'account.deletePassword',
      createOidcAttempt: 'signIn.beginOidc',
      createOidcSession: 'signIn.withOidc',
      createWalletChallenge: 'signIn.beginWallet',
      createWalletSession: 'signIn.withWallet',
      listIdentities: 'identities.list',
      createIdentity: 'identities.create',
      createIdentityAttempt: 'identities.beginOidc',
      createIdentityChallenge: 'identities.beginWallet',
      deleteIdentity: 'identities.delete',
    },
    groups: {
      sessions: 'Browsers that are signed in.',
      passkeys: 'Passkeys of the caller.',
      signIn: 'Ways to sign in with a browser.',
      devices: 'Machines without a browser that ask for an API key.',
      identities: 'What the caller signs in with elsewhere.',
    },
  },
  settings: {
    oidc: oidcSettingsSchema.prefault({}),
    wallets: walletSettingsSchema.prefault({}),
    smtp: smtpSettingsSchema.prefault({}),
  },
  resources: definitions,
  access,
} as const satisfies Feature;
