import { z } from 'zod';
import { listQuerySchema, type Operation } from '../../../../core/api/operations/operation.ts';
import { idSchema } from '../../../../core/api/values.ts';
import { sessionInputSchema, sessionListSchema } from '../rest/session.ts';
import { opensSession } from './opensSession.ts';

const sessions = '/v1alpha1/sessions';

/** Browsers sign in: a session is an API key by cookie. */
export const sessionOperations = {
  createSession: {
    method: 'POST',
    path: sessions,
    api: 'workspace',
    summary: 'Sign in',
    description:
      'Exchanges an API key for an HttpOnly cookie. The session has the permissions of the key. It ends with the key, after 12 hours, after an hour without use, or when it is deleted. Programs do not need a session: they send the key. Refused without TLS, except on localhost. Requests with the cookie are accepted only from pages of this installation.',
    body: sessionInputSchema,
    ...opensSession,
  },
  listSessions: {
    method: 'GET',
    path: sessions,
    api: 'workspace',
    summary: "List the caller's sessions",
    query: listQuerySchema.omit({ selector: true }),
    success: { status: 200, schema: sessionListSchema, description: 'A page of sessions.' },
    errors: [],
    permission: 'account:read',
  },
  deleteSession: {
    method: 'DELETE',
    path: `${sessions}/{sessionId}`,
    api: 'workspace',
    summary: 'End a session',
    description:
      "Ends one of the caller's sessions on all replicas. The id `current` is the session of this request.",
    params: z.object({ sessionId: idSchema.describe('Id of the session, or `current`.') }),
    success: { status: 204, description: 'Ended.' },
    errors: [404],
    permission: 'account:read',
  },
} as const satisfies Record<string, Operation>;
