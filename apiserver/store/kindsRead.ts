import { chainOperations } from '../../core/api/operations/chain.ts';
import { contractOperations } from '../../core/api/operations/contract.ts';
import { eventOperations } from '../../core/api/operations/events.ts';
import { networkOperations } from '../../core/api/operations/network.ts';
import type { Operation } from '../../core/api/operations/operation.ts';
import { type OperationId, operationOf } from '../../core/api/operations/operations.ts';
import { usageOperations } from '../../core/api/operations/records.ts';
import { secretOperations } from '../../core/api/operations/secret.ts';
import { snapshotOperations } from '../../core/api/operations/snapshot.ts';
import { tokenOperations } from '../../core/api/operations/token.ts';
import { tokenDeployOperations } from '../../core/api/operations/tokenDeploy.ts';
import { transactionOperations } from '../../core/api/operations/transaction.ts';
import { webhookOperations } from '../../core/api/operations/webhook.ts';

/** Beside those of accounts. What the group of an operation reads holds for all of the group: secrets have the keys that sign. */
const groups: readonly [operations: Readonly<Record<string, Operation>>, kinds: readonly string[]][] = [
  [networkOperations, ['Network', 'Secret', 'Snapshot', 'Token']],
  [snapshotOperations, ['Network', 'Snapshot']],
  [contractOperations, ['Network']],
  [chainOperations, ['Network', 'Token']],
  [eventOperations, ['Network']],
  [secretOperations, ['Secret']],
  [tokenOperations, ['Network', 'Secret', 'Token']],
  [tokenDeployOperations, ['Network', 'Secret', 'Token']],
  [transactionOperations, ['Network', 'Secret', 'Recording']],
  [webhookOperations, ['Secret', 'Webhook']],
  [usageOperations, ['Network', 'Secret', 'Snapshot', 'Recording', 'Token', 'Webhook']],
];

const kindsOf = new Map(
  groups.flatMap(([operations, kinds]) => Object.keys(operations).map((id) => [id, kinds] as const)),
);

/** The kinds whose caches an operation reads; all (undefined) where that is not known. */
export function kindsReadBy(id: OperationId): readonly string[] | undefined {
  // The Workspace API reads accounts, and what is not in a cache.
  return kindsOf.get(id) ?? (operationOf(id).api === 'workspace' ? [] : undefined);
}
