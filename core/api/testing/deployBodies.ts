import { type OperationId, operationOf } from '../operations/operations.ts';
import { detailsOf } from '../rules/issues.ts';
import { aDeployBody } from './builders.ts';

export const address = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
export const erc3643 = { compliance_registry: address };
export const oft = { layer_zero_endpoint: address };

/** A body whose only deployment has exactly these args. */
export const withArgs = (args: object) => ({
  ...aDeployBody(),
  deployments: [{ network_id: 'network-1', args }],
});

/** Path of a member of the args of that deployment. */
export const at = (member: string) => `deployments[0].args.${member}`;

/** The validation issues of a body for an operation. */
export function issuesOf(id: OperationId, body: unknown) {
  const parsed = operationOf(id).body?.safeParse(body);
  if (!parsed) throw new Error(`${id} takes no body`);
  return parsed.success ? [] : detailsOf(parsed.error);
}

export const pathsOf = (id: OperationId, body: unknown) => issuesOf(id, body).map(({ path }) => path);
