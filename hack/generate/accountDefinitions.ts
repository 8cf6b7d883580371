import { z } from 'zod';
import { nameSchema } from '../../core/api/common.ts';
import {
  apiKeySpecSchema,
  apiKeyStatusSchema,
  identitySpecSchema,
  invitationSpecSchema,
  invitationStatusSchema,
  membershipSpecSchema,
  sessionSpecSchema,
  sessionStatusSchema,
  userSpecSchema,
  userStatusSchema,
  workspaceSpecSchema,
  workspaceStatusSchema,
} from '../../core/api/resources/accountResources.ts';
import { age, type Definition, text } from '../../core/api/resources/definition.ts';
import { idempotencyRecordSpecSchema } from '../../core/api/resources/idempotencyRecord.ts';
import {
  apiKeyType,
  idempotencyRecordType,
  identityType,
  invitationType,
  membershipType,
  passkeyType,
  passwordType,
  sessionType,
  signInTicketType,
  userType,
  workspaceType,
} from '../../core/api/resources/resources.ts';
import { passkeySpecSchema, passkeyStatusSchema } from '../../core/api/resources/signIn/passkey.ts';
import { passwordSpecSchema } from '../../core/api/resources/signIn/password.ts';
import { signInTicketSpecSchema } from '../../core/api/resources/signIn/ticket.ts';

/** Not in the category slipway: users with access to a workspace's namespace have no access to these. */
const category = 'slipway-accounts';

const membershipNameSchema = z
  .string()
  .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?\.[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)
  .max(127)
  .describe('Workspace, a dot, user.');

const workspaceColumn = text('Workspace', '.spec.workspace', 'Id of the workspace.');
const roleColumn = text('Role', '.spec.role', 'Role in the workspace.');

export const accountDefinitions: Definition[] = [
  {
    type: workspaceType,
    description: "A workspace, in the service's own namespace; its objects are in a namespace of its own.",
    shortName: 'bws',
    category,
    // A namespace is named after it.
    name: nameSchema.max(55),
    spec: workspaceSpecSchema,
    status: workspaceStatusSchema,
    columns: [
      text('Title', '.spec.name', 'Display name.'),
      text('Namespace', '.status.namespace', 'Namespace of its objects.'),
      text('Ready', '.status.conditions[?(@.type=="Ready")].status', 'Whether it is ready for use.'),
      age,
    ],
    selectable: ['.spec.personalFor', '.spec.createdBy'],
  },
  {
    type: userType,
    description: 'A user account.',
    shortName: 'busr',
    category,
    spec: userSpecSchema,
    status: userStatusSchema,
    columns: [
      text('E-mail', '.spec.email', 'E-mail address.'),
      text('Workspace', '.spec.personalWorkspace', 'Personal workspace.'),
      text('Address', '.status.address', 'Address of the default key.'),
      age,
    ],
    selectable: ['.spec.email', '.spec.sponsor'],
  },
  {
    type: membershipType,
    description: "A user's membership of a workspace.",
    shortName: 'bmem',
    category,
    name: membershipNameSchema,
    spec: membershipSpecSchema,
    columns: [workspaceColumn, text('User', '.spec.user', 'Id of the user.'), roleColumn, age],
    selectable: ['.spec.workspace', '.spec.user'],
  },
  {
    type: invitationType,
    description: 'An invitation to a workspace, without its token.',
    shortName: 'binv',
    category,
    spec: invitationSpecSchema,
    status: invitationStatusSchema,
    columns: [
      workspaceColumn,
      text('E-mail', '.spec.email', 'E-mail address of the invited user.'),
      roleColumn,
      text('State', '.status.state', 'State of the invitation.'),
      { name: 'Expires', type: 'date', jsonPath: '.spec.expiresAt', description: 'When it expires.' },
      age,
    ],
    selectable: ['.spec.workspace'],
  },
  {
    type: apiKeyType,
    description: 'An API key, without its secret.',
    shortName: 'bkey',
    category,
    spec: apiKeySpecSchema,
    status: apiKeyStatusSchema,
    columns: [
      workspaceColumn,
      text('User', '.spec.user', 'Id of the user.'),
      roleColumn,
      { name: 'Used', type: 'date', jsonPath: '.status.lastUsedAt', description: 'Last use.' },
      age,
    ],
    selectable: ['.spec.workspace', '.spec.user'],
  },
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
  {
    type: idempotencyRecordType,
    description: 'The result of a request with an Idempotency-Key. Kept for a day.',
    shortName: 'bidem',
    category,
    spec: idempotencyRecordSpecSchema,
    columns: [age],
    selectable: [],
  },
];
