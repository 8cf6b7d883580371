import { z } from 'zod';
import { nameSchema } from '../../core/api/common.ts';
import {
  apiKeySpecSchema,
  apiKeyStatusSchema,
  invitationSpecSchema,
  invitationStatusSchema,
  membershipSpecSchema,
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
  invitationType,
  membershipType,
  userType,
  workspaceType,
} from '../../core/api/resources/resources.ts';

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
    type: idempotencyRecordType,
    description: 'The result of a request with an Idempotency-Key. Kept for a day.',
    shortName: 'bidem',
    category,
    spec: idempotencyRecordSpecSchema,
    columns: [age],
    selectable: [],
  },
];
