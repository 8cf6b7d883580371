import type { Feature } from '../../core/api/feature.ts';
import { idParams, type Operation } from '../../core/api/operations/operation.ts';
import { usageQuerySchema, usageSchema } from './api/usage.ts';

const operations = {
  getUsage: {
    method: 'GET',
    path: '/v1alpha1/workspaces/{id}/usage',
    api: 'workspace',
    workspaceParam: 'id',
    summary: 'Get what a workspace uses',
    description:
      'Network hours, calls and transactions by day, and budgets. Each replica stores its counts once a minute: one that is killed loses at most a minute of them.',
    params: idParams,
    query: usageQuerySchema,
    success: { status: 200, schema: usageSchema, description: 'What the workspace uses.' },
    errors: [404],
    permission: 'workspaces:read',
  },
} as const satisfies Record<string, Operation>;

/** Counts what workspaces use by day, and shows it with their budgets. */
export const feature = {
  groups: [
    {
      name: 'Usage',
      description: 'What a workspace uses.',
      operations: operations,
      reads: ['Network', 'Secret', 'Snapshot', 'Recording', 'Token', 'Webhook'],
    },
  ],
  schemas: { Usage: usageSchema },
  client: { methods: { getUsage: 'workspaces.getUsage' } },
} as const satisfies Feature;
