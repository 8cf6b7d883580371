import { publicAccess } from '../../access/permissions.ts';
import { sessionSchema } from '../../rest/session.ts';

/** What an operation has in common with others that open a session: who may call it, and what it answers. */
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
