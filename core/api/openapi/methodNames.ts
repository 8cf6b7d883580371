import { featureClient } from '../features.ts';
import type { Operation } from '../operations/operation.ts';
import { type OperationId, operationGroups, operationOf } from '../operations/operations.ts';

/** Where an operation is in the client: `networks.list`. */
export interface MethodName {
  group: string;
  method: string;
}

/**
 * The noun of each group. The first one that the id of an operation contains decides on its group, and the rest of the
 * id is the name of its method: `rotateNetworkKeys` is `networks.rotateKeys`.
 */
const nouns: readonly [string, string][] = [
  ...Object.entries(featureClient.nouns),
  ['Snapshot', 'snapshots'],
  ['Secret', 'secrets'],
  ['Token', 'tokens'],
  ['Submission', 'transactions'],
  ['Transaction', 'transactions'],
  ['Recording', 'recordings'],
  ['Membership', 'memberships'],
  ['Invitation', 'invitations'],
  ['ApiKey', 'apiKeys'],
  ['Workspace', 'workspaces'],
  ['Network', 'networks'],
];

/** Methods for which the rule gives bad names. */
const exceptions: Readonly<Record<string, string>> = {
  listNetworkSnapshots: 'snapshots.listOfNetwork',
  createNetworkSnapshot: 'snapshots.create',
  getNetworkSnapshot: 'snapshots.getOfNetwork',
  deleteNetworkSnapshot: 'snapshots.deleteOfNetwork',
  revertNetwork: 'snapshots.revert',
  listChainTypes: 'networks.listChainTypes',
  addDeployments: 'tokens.addDeployments',
  listDeployments: 'tokens.listDeployments',
  getDeployment: 'tokens.getDeployment',
  deleteDeployment: 'tokens.deleteDeployment',
  replayRecording: 'replays.create',
  getMe: 'account.get',
  listPermissions: 'account.listPermissions',
  ...featureClient.methods,
};

export const groupDescriptions: Readonly<Record<string, string>> = {
  networks: 'Blockchain networks.',
  snapshots: 'States of networks, to revert to and to start other networks from.',
  secrets: 'Small pieces of secret data.',
  tokens: 'Tokens and their deployments.',
  transactions: 'Transactions that were submitted through the service.',
  recordings: 'Recordings of transactions.',
  replays: 'Recorded transactions, sent again.',
  workspaces: 'Workspaces.',
  memberships: 'The members of workspaces.',
  invitations: 'Invitations to workspaces.',
  apiKeys: 'API keys.',
  account: 'The caller.',
  ...featureClient.groups,
};

/** The name of an operation's method. Throws for an id that no rule covers. */
export function methodNameOf(id: string): MethodName {
  const exception = exceptions[id];
  if (exception !== undefined) {
    const [group = '', method = ''] = exception.split('.');
    return { group, method };
  }
  if (/^deploy[A-Z]/.test(id)) return { group: 'tokens', method: id };
  const found = nouns.find(([noun]) => id.includes(noun));
  if (!found) throw new Error(`no group for the operation ${id}: add it to core/api/openapi/methodNames.ts`);
  const [noun, group] = found;
  return { group, method: without(id, noun) };
}

/** An id without a noun, or its plural. */
function without(id: string, noun: string): string {
  const start = id.indexOf(noun);
  const end = start + noun.length;
  return id.slice(0, start) + id.slice(id[end] === 's' ? end + 1 : end);
}

/** Whether its method is written by hand: what it streams is resumed. */
export function isResumed(id: OperationId): boolean {
  return operationOf(id).hasLastEventId ?? false;
}

/** Whether its method follows a stream, each connection of which begins with what is newest. */
export function isFollowed(id: OperationId): boolean {
  const { success }: Operation = operationOf(id);
  return success.contentType === 'text/event-stream' && !isResumed(id);
}

/** The operations with a generated method, by group, in the order of the documents. */
export function methodsByGroup(): Map<string, { id: OperationId; method: string }[]> {
  const ids = operationGroups.flatMap(({ operations }) => Object.keys(operations) as OperationId[]);
  const all = ids
    .filter((id) => !isResumed(id))
    .map((id) => ({ id, ...methodNameOf(id) }))
    .sort((a, b) => rank(a.id) - rank(b.id));
  return Map.groupBy(all, ({ group }) => group);
}

const order = Object.keys(groupDescriptions);
function rank(id: OperationId): number {
  return order.indexOf(methodNameOf(id).group);
}
