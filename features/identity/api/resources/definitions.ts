import type { FeatureResource } from '../../../../core/api/feature.ts';
import { age, text } from '../../../../core/api/resources/definition.ts';
import { identitySpecSchema, identityType } from './identity.ts';
import { passkeySpecSchema, passkeyStatusSchema, passkeyType } from './passkey.ts';
import { passwordSpecSchema, passwordType } from './password.ts';
import { sessionSpecSchema, sessionStatusSchema, sessionType } from './session.ts';
import { signInTicketSpecSchema, signInTicketType } from './ticket.ts';

/** Users with access to the namespace of a workspace have none to these. */
const category = 'slipway-accounts';

/** What users sign in with, in the namespace of the service. */
export const definitions = [
  {
    type: sessionType,
    description: 'A browser that is signed in, without the secret in its cookie.',
    shortName: 'bses',
    category,
    spec: sessionSpecSchema,
    status: sessionStatusSchema,
    columns: [
      text('User', '.spec.user', 'Id of the user.'),
      text('Method', '.spec.method', 'How the user signed in.'),
      { name: 'Used', type: 'date', jsonPath: '.status.lastUsedAt', description: 'Last use.' },
      { name: 'Expires', type: 'date', jsonPath: '.spec.expiresAt', description: 'When it expires.' },
      age,
    ],
    selectable: ['.spec.user'],
  },
  {
    type: identityType,
    description: 'An account at an OpenID provider, or a wallet, that signs in as a user.',
    shortName: 'bidn',
    category,
    spec: identitySpecSchema,
    columns: [
      text('User', '.spec.user', 'Id of the user.'),
      text('Issuer', '.spec.oidc.issuer', 'The OpenID provider.'),
      text('Address', '.spec.wallet.address', 'Address of the wallet.'),
      age,
    ],
    selectable: ['.spec.user'],
  },
  {
    type: passkeyType,
    description: 'A public key that a user signs in with.',
    shortName: 'bpass',
    category,
    spec: passkeySpecSchema,
    status: passkeyStatusSchema,
    columns: [
      text('User', '.spec.user', 'Id of the user.'),
      text('Title', '.spec.name', 'Name, for people.'),
      { name: 'Used', type: 'date', jsonPath: '.status.lastUsedAt', description: 'Last sign-in.' },
      age,
    ],
    selectable: ['.spec.user'],
  },
  {
    type: passwordType,
    description:
      'The hash of a password that a user signs in with. Its name is a keyed hash of the user, its label one of the address.',
    shortName: 'bpwd',
    category,
    spec: passwordSpecSchema,
    columns: [
      text('User', '.spec.user', 'Id of the user.'),
      { name: 'Changed', type: 'date', jsonPath: '.spec.changedAt', description: 'When it was set.' },
      age,
    ],
    selectable: ['.spec.user'],
  },
  {
    type: signInTicketType,
    description: 'A part of a sign-in that counts once, without its secret. Kept for an hour.',
    shortName: 'btick',
    category,
    spec: signInTicketSpecSchema,
    columns: [
      text('Purpose', '.spec.purpose', 'What it is for.'),
      text('User', '.spec.user', 'Id of the user.'),
      { name: 'Expires', type: 'date', jsonPath: '.spec.expiresAt', description: 'When it expires.' },
      age,
    ],
    selectable: ['.spec.user'],
  },
] as const satisfies readonly FeatureResource[];
