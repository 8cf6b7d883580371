import { auditListSchema, auditQuerySchema } from '../rest/records/audit.ts';
import { idParams, type Operation } from './operation.ts';

export const auditOperations = {
  listAuditEntries: {
    method: 'GET',
    path: '/v1alpha1/workspaces/{id}/audit',
    api: 'workspace',
    workspaceParam: 'id',
    summary: 'List what callers did in a workspace',
    description:
      "Changes, refused attempts and reads of secrets, newest first: who, what, when and from where, without request bodies. About 10,000 entries are kept, with a share for each user. An entry appears within about two seconds; a replica that is killed loses those of its last two seconds. The API server's log has all entries.",
    params: idParams,
    query: auditQuerySchema,
    success: { status: 200, schema: auditListSchema, description: 'A page of entries.' },
    errors: [404],
    permission: 'audit:read',
  },
} as const satisfies Record<string, Operation>;
