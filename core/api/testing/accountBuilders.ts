/** Valid account objects for tests: specify only what the test needs. */

import { apiVersion } from '../names.ts';
import type {
  ApiKeyResource,
  ApiKeySpec,
  IdentityResource,
  IdentitySpec,
  InvitationResource,
  InvitationSpec,
  MembershipResource,
  MembershipSpec,
  UserResource,
  UserSpec,
  WorkspaceResource,
  WorkspaceSpec,
} from '../resources/accountResources.ts';
import type { KubeMeta } from '../resources/kubeObject.ts';
import type { PasskeyResource } from '../resources/signIn/passkey.ts';
import type { PasswordResource } from '../resources/signIn/password.ts';
import type { SignInTicketResource } from '../resources/signIn/ticket.ts';

export const serviceNamespace = 'slipway-system';
const hash = 'ab'.repeat(32);

interface Options<Spec> {
  name?: string;
  metadata?: Partial<KubeMeta>;
  spec?: Partial<Spec>;
}

/** The workspace `team`, owned by `ann`. */
export function aWorkspace({
  name = 'team',
  metadata,
  spec,
}: Options<WorkspaceSpec> = {}): WorkspaceResource {
  return {
    apiVersion,
    kind: 'Workspace',
    metadata: { name, namespace: serviceNamespace, ...metadata },
    spec: { name, owners: ['ann'], ...spec },
  };
}

/** The user `ann`. */
export function aUser({ name = 'ann', metadata, spec }: Options<UserSpec> = {}): UserResource {
  return {
    apiVersion,
    kind: 'User',
    metadata: { name, namespace: serviceNamespace, ...metadata },
    spec: { email: `${name}@example.com`, ...spec },
  };
}

/** `ann`, owner of `team`. */
export function aMembership({ metadata, spec }: Options<MembershipSpec> = {}): MembershipResource {
  const whole: MembershipSpec = { workspace: 'team', user: 'ann', role: 'owner', ...spec };
  const name = `${whole.workspace}.${whole.user}`;
  return {
    apiVersion,
    kind: 'Membership',
    metadata: { name, namespace: serviceNamespace, ...metadata },
    spec: whole,
  };
}

/** An invitation to `team`. */
export function anInvitation({
  name = 'inv1',
  metadata,
  spec,
}: Options<InvitationSpec> = {}): InvitationResource {
  return {
    apiVersion,
    kind: 'Invitation',
    metadata: { name, namespace: serviceNamespace, ...metadata },
    spec: {
      workspace: 'team',
      email: 'ben@example.com',
      role: 'developer',
      invitedBy: 'ann',
      expiresAt: '2036-01-01T00:00:00Z',
      tokenHash: hash,
      ...spec,
    },
  };
}

/** A key of `ann` in `team`. */
export function anApiKey({ name = 'key1', metadata, spec }: Options<ApiKeySpec> = {}): ApiKeyResource {
  return {
    apiVersion,
    kind: 'ApiKey',
    metadata: { name, namespace: serviceNamespace, ...metadata },
    spec: { workspace: 'team', user: 'ann', name: 'ci', role: 'owner', secretHash: hash, ...spec },
  };
}

/** A passkey of `ann`. */
export function aPasskey({
  name = 'passkey1',
  metadata,
  spec,
}: Options<PasskeyResource['spec']> = {}): PasskeyResource {
  return {
    apiVersion,
    kind: 'Passkey',
    metadata: { name, namespace: serviceNamespace, ...metadata },
    spec: {
      user: 'ann',
      name: 'laptop',
      credentialID: 'AQIDBA',
      publicKey: 'pQECAyYg',
      deviceType: 'multiDevice',
      ...spec,
    },
  };
}

/** A password of `ann`. */
export function aPassword({
  name = 'password1',
  metadata,
  spec,
}: Options<PasswordResource['spec']> = {}): PasswordResource {
  return {
    apiVersion,
    kind: 'Password',
    metadata: { name, namespace: serviceNamespace, ...metadata },
    spec: {
      user: 'ann',
      email: 'ann@example.com',
      changedAt: '2026-01-01T00:00:00Z',
      hash: '$argon2id$v=19$m=32768,t=2,p=1$c2FsdA$aGFzaA',
      ...spec,
    },
  };
}

/** An account of `ann` at an OpenID provider. */
export function anIdentity({
  name = 'oidc-1',
  metadata,
  spec,
}: Options<IdentitySpec> = {}): IdentityResource {
  return {
    apiVersion,
    kind: 'Identity',
    metadata: { name, namespace: serviceNamespace, ...metadata },
    spec: {
      user: 'ann',
      ...(spec?.wallet ? {} : { oidc: { issuer: 'https://id.example', subject: 's' } }),
      ...spec,
    },
  };
}

/** A sign-in link of `ann`. */
export function aTicket({
  name = 'link1',
  metadata,
  spec,
}: Options<SignInTicketResource['spec']> = {}): SignInTicketResource {
  return {
    apiVersion,
    kind: 'SignInTicket',
    metadata: { name, namespace: serviceNamespace, ...metadata },
    spec: {
      purpose: 'link',
      expiresAt: '2036-01-01T00:00:00Z',
      user: 'ann',
      apiKey: 'key1',
      secretHash: hash,
      ...spec,
    },
  };
}
