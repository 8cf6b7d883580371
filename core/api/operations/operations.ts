import type { z } from 'zod';
import { merged } from '../../lib/typed.ts';
import type { OperationGroup } from '../feature.ts';
import { featureGroups, featureOperations } from '../features.ts';
import { accessOperations } from './access.ts';
import { eventOperations } from './events.ts';
import { fundedAccountOperations } from './fundedAccounts.ts';
import { networkOperations } from './network.ts';
import type { Operation } from './operation.ts';
import { secretOperations } from './secret.ts';
import { snapshotOperations } from './snapshot.ts';
import { tokenOperations } from './token.ts';
import { tokenDeployOperations } from './tokenDeploy.ts';
import { transactionOperations } from './transaction.ts';
import { workspaceOperations } from './workspace.ts';

export type { Operation } from './operation.ts';

/** The operations of the mission by subject. What a group reads holds for all of it: secrets have the keys that sign. */
const missionGroups = [
  {
    name: 'Networks',
    description: 'Blockchain networks.',
    operations: networkOperations,
    reads: ['Network', 'Secret', 'Snapshot', 'Token'],
  },
  {
    name: 'Accounts',
    description: 'Accounts that networks fund at genesis.',
    operations: fundedAccountOperations,
  },
  {
    name: 'Snapshots',
    description: 'States of networks, to revert to and to start other networks from.',
    operations: snapshotOperations,
    reads: ['Network', 'Snapshot'],
  },
  {
    name: 'Secrets',
    description: 'Small pieces of secret data.',
    operations: secretOperations,
    reads: ['Secret'],
  },
  {
    name: 'Events',
    description: 'What happens in the workspace.',
    operations: eventOperations,
    reads: ['Network'],
  },
  {
    name: 'Tokens',
    description: 'Tokens and their deployments.',
    operations: tokenOperations,
    reads: ['Network', 'Secret', 'Token'],
  },
  {
    name: 'Token deployment',
    description: 'One operation per standard.',
    operations: tokenDeployOperations,
    reads: ['Network', 'Secret', 'Token'],
  },
  {
    name: 'Transactions and recordings',
    description: 'Submission, recording and replay.',
    operations: transactionOperations,
    reads: ['Network', 'Secret', 'Recording'],
  },
  { name: 'Workspaces', description: 'Workspaces and their members.', operations: workspaceOperations },
  { name: 'Access', description: 'Invitations and API keys.', operations: accessOperations },
] as const satisfies OperationGroup[];

/** As documents order them. */
export const groupsOfAll: readonly OperationGroup[] = [...missionGroups, ...featureGroups];

/** All operations by subject, as shown in documents. */
export const operationGroups = [...Map.groupBy(groupsOfAll, ({ name }) => name).values()].map(
  ([first, ...others]) => ({
    name: first?.name ?? '',
    description: first?.description ?? '',
    operations: merged([first, ...others].map((group) => group?.operations ?? {})),
  }),
);

/** Every endpoint of the contract. */
export const operations = {
  ...merged(missionGroups.map((group) => group.operations)),
  ...featureOperations,
};

export type OperationId = keyof typeof operations;

type Table = typeof operations;
type OutputOf<Id extends OperationId, Part extends string> =
  Table[Id] extends Record<Part, infer Schema>
    ? Schema extends z.ZodType
      ? z.infer<Schema>
      : undefined
    : undefined;

/** The parsed body of an operation; undefined when it takes none. Likewise the two below. */
export type BodyOf<Id extends OperationId> = OutputOf<Id, 'body'>;
export type QueryOf<Id extends OperationId> = OutputOf<Id, 'query'>;
export type ParamsOf<Id extends OperationId> = OutputOf<Id, 'params'>;

/** The body of a successful response; undefined when it has none. */
export type AnswerOf<Id extends OperationId> = Table[Id]['success'] extends { schema: infer Schema }
  ? Schema extends z.ZodType
    ? z.infer<Schema>
    : undefined
  : undefined;

/** The operation with this id, as the general type. */
export function operationOf(id: OperationId): Operation {
  return operations[id];
}

/**
 * All operations, in an order for routers that take the first match: a literal segment sorts before a parameter in the
 * same position, so that recording/list-all never matches recording/{id}.
 */
export const operationIds: readonly OperationId[] = (Object.keys(operations) as OperationId[]).sort((a, b) =>
  sortKey(operations[a].path) < sortKey(operations[b].path) ? -1 : 1,
);

/** `~` sorts after every character of a literal segment. */
function sortKey(path: string): string {
  return path
    .split('/')
    .map((segment) => (segment.startsWith('{') ? '~' : segment))
    .join('/');
}
