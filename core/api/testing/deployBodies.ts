import { type OperationId, operationOf } from '../operations/operations.ts';
import { detailsOf } from '../rules/issues.ts';
import { definitionOf, requiredArgs, type TokenType } from '../rules/tokenArgs.ts';
import { aDeployBody } from './builders.ts';

export const address = '0x5FbDB2315678afecb367f032d93F642f64180aa3';

/** What a standard needs beside the supply, as its example has it. */
export function neededArgsOf(type: TokenType): Record<string, unknown> {
  const { args } = definitionOf(type).endpoints[0].example;
  const needed = requiredArgs(type).filter((member) => member !== 'total_supply');
  return Object.fromEntries(needed.map((member) => [member, args[member]]));
}

export const erc3643 = neededArgsOf('ERC3643');
export const oft = neededArgsOf('OFT');

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
