import { z } from 'zod';
import { nameSchema } from '../../api/common.ts';
import type { WorkspaceResource } from '../../api/resources/accountResources.ts';
import { hashOf } from '../../lib/hash.ts';
import { type DefaultWorkspace, namespaceOf } from '../ids.ts';
import type { ShareOf } from './shares.ts';

/** The file that tells a process without access to the cluster which workspaces have the same owner. */
export const workspaceSharesFile = 'shares.json';

/** For each account with several workspaces, by a hash of its id: their namespaces. */
const schema = z.record(z.string().max(64), z.array(nameSchema));

/** A ConfigMap may have 1 MiB, and a namespace up to 63 characters. */
const mostNamespaces = 12_000;

/**
 * The text of the file. It omits workspaces whose owners have no other one, because an unknown workspace has a share of its
 * own. If not all fit, the owners of most workspaces are listed.
 */
export function renderWorkspaceShares(
  workspaces: readonly Pick<WorkspaceResource, 'metadata' | 'spec'>[],
  defaultWorkspace: DefaultWorkspace,
): string {
  const owned = Map.groupBy(workspaces, ({ spec }) => spec.owners[0] ?? '');
  owned.delete('');
  let room = mostNamespaces;
  const shares: [string, string[]][] = [];
  for (const [owner, all] of [...owned].toSorted(([, one], [, other]) => other.length - one.length)) {
    room -= all.length;
    if (all.length === 1 || room < 0) break;
    const namespaces = all.map(({ metadata }) => namespaceOf(metadata.name, defaultWorkspace));
    shares.push([hashOf(['share', owner]).slice(0, 16), namespaces.sort()]);
  }
  return JSON.stringify(Object.fromEntries(shares.sort(([one], [other]) => (one < other ? -1 : 1))));
}

/** The account whose share the work of a workspace uses, according to the file. Throws when the text is malformed. */
export function readWorkspaceShares(text: string): ShareOf {
  const shareOf = new Map<string, string>();
  for (const [account, namespaces] of Object.entries(schema.parse(JSON.parse(text)))) {
    for (const namespace of namespaces) shareOf.set(namespace, `account/${account}`);
  }
  return (namespace) => shareOf.get(namespace) ?? `workspace/${namespace}`;
}
