import { recordOf } from '../../lib/typed.ts';
import { tokenSchema } from '../rest/token.ts';
import { deployRequests } from '../rest/tokenDeploy.ts';
import type { Operation } from './operation.ts';

const deploy = {
  method: 'POST',
  api: 'transaction',
  description: 'Returns immediately; read the token to follow its deployments.',
  success: { status: 201, schema: tokenSchema, description: 'The token; its deployments are in progress.' },
  errors: [400],
  permission: 'tokens:write',
} as const satisfies Partial<Operation>;

/** One operation for each endpoint of each standard. */
export const tokenDeployOperations = recordOf(
  deployRequests.map(({ endpoint: { operationId, path, summary }, body }) => [
    operationId,
    { ...deploy, path: `/v1alpha1/transaction/token/${path}/deploy`, summary, body },
  ]),
);
