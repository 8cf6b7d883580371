/** Valid objects for tests: specify only what the test needs. */

import { apiVersion } from '../../../core/api/names.ts';
import { type Options, serviceNamespace } from '../../../core/api/testing/accountBuilders.ts';
import type { IdentityResource, IdentitySpec } from '../api/resources/identity.ts';
import type { PasskeyResource } from '../api/resources/passkey.ts';
import type { PasswordResource } from '../api/resources/password.ts';
import type { SignInTicketResource } from '../api/resources/ticket.ts';

const hash = 'ab'.repeat(32);

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
