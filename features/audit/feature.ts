import { slipway } from '../../core/api/access/rbac/rule.ts';
import type { Feature } from '../../core/api/feature.ts';
import { idParams, type Operation } from '../../core/api/operations/operation.ts';
import { age } from '../../core/api/resources/definition.ts';
import { auditEntrySchema, auditListSchema, auditQuerySchema } from './api/audit.ts';
import { auditChunkSpecSchema, auditChunkType } from './api/chunk.ts';

const operations = {
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

/** Keeps what callers did in workspaces, beside the lines in the log. */
export const feature = {
  groups: [{ name: 'Audit', description: 'What callers did in a workspace.', operations }],
  schemas: { AuditEntry: auditEntrySchema, AuditEntryList: auditListSchema },
  client: { methods: { listAuditEntries: 'workspaces.listAudit' } },
  resources: [
    {
      type: auditChunkType,
      description: 'A part of the audit list of a workspace. Written only by the service.',
      shortName: 'baud',
      category: 'slipway-internal',
      spec: auditChunkSpecSchema,
      columns: [
        { name: 'Entries', type: 'integer', jsonPath: '.spec.entries', description: 'Entries.' },
        { name: 'Newest', type: 'date', jsonPath: '.spec.newest', description: 'The newest entry.' },
        age,
      ],
      selectable: [],
      counted: { kind: 'records', pageSize: 250 },
      isOnlyCounted: true,
    },
  ],
  access: {
    apiserver: {
      cluster: [
        {
          reason: 'what callers did is kept, the oldest deleted, and served over REST',
          groups: slipway,
          resources: ['auditchunks'],
          verbs: ['get', 'list', 'create', 'update', 'delete'],
        },
      ],
    },
  },
} as const satisfies Feature;
