import { none, workspaceRow } from '../../../apiserver/testing/tenantRow.ts';
import type { TestFeature } from '../../../test/feature.ts';
import { aTicket } from './builders.ts';
import { notWalked, walks } from './walks.ts';

export const feature: TestFeature = {
  tenantRows: {
    createOidcAttempt: none,
    createOidcSession: none,
    createWalletChallenge: none,
    createWalletSession: none,
    // Of a user, not of a workspace: see server/identities.
    listIdentities: none,
    createIdentity: none,
    createIdentityAttempt: none,
    createIdentityChallenge: none,
    deleteIdentity: none,
    createSession: none,
    listSessions: none,
    // Of a user, not of a workspace: see server/sessions/sessions.test.ts.
    deleteSession: none,
    getSignInOptions: none,
    createSignInLink: none,
    signInWithLink: none,
    createDeviceSignIn: none,
    pollDeviceSignIn: none,
    createDeviceApiKey: none,
    lookUpDeviceSignIn: none,
    denyDeviceSignIn: none,
    approveDeviceSignIn: (ids) => ({
      ...workspaceRow(ids),
      body: { userCode: 'BCDF-GHJK', name: 'laptop', role: 'viewer' },
    }),
    getPassword: none,
    replacePassword: none,
    deletePassword: none,
    signInWithPassword: none,
    getPasskeySignInOptions: none,
    signInWithPasskey: none,
    getPasskeyCreationOptions: none,
    listPasskeys: none,
    createPasskey: none,
    // Of a user, not of a workspace: see server/passkeys/passkeys.test.ts.
    replacePasskey: none,
    deletePasskey: none,
  },
  namesOthers: [
    'deleteSession',
    'replacePasskey',
    'deletePasskey',
    // Providers of the installation, and what its user signs in with.
    ...(['createOidcAttempt', 'createIdentityAttempt', 'deleteIdentity'] as const),
  ],
  walks,
  notWalked,
  async backup({ create, membership }) {
    const grant = { workspace: 'team', name: 'a machine', role: 'viewer', membership } as const;
    await create(aTicket({ spec: { purpose: 'deviceAnswer', grant } }));
  },
};
