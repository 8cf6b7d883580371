import { publicAccess } from '../../../../core/api/access/permissions.ts';
import { sessionSchema } from '../rest/session.ts';

/** What all operations that open a session have in common: who may call them, and what they answer. */
export const opensSession = {
  success: {
    status: 201,
    schema: sessionSchema,
    description: 'The session; its cookie is in the header Set-Cookie.',
  },
  errors: [400, 401, 403],
  permission: publicAccess,
  isSignIn: true,
} as const;
