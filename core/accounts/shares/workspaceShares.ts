import { z } from 'zod';
import { nameSchema } from '../../api/common.ts';
import type { WorkspaceResource } from '../../api/resources/accountResources.ts';
import { hashOf } from '../../lib/hash.ts';
import { type DefaultWorkspace, namespaceOf } from '../ids.ts';
import type { ShareOf } from './shares.ts';

/** The file in which a process without access to the cluster finds which workspaces have one owner. */
export const workspaceSharesFile = 'shares.json';

/** For each account with several workspaces, by a hash of its id: their namespaces. */
const schema = z.record(z.string().max(64), z.array(nameSchema));

/** A ConfigMap may have 1 MiB, and a namespace up to 63 characters. */
const mostNamespaces = 12_000;

/**
 * The text of the file. Workspaces of owners who have no other one are not in it, because a workspace that is not known has a share of
 * its own. Where not all fit, those who own most are in it.
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

/** Whose share the work of a workspace takes, by the text of the file. Throws when it is another text. */
export function readWorkspaceShares(text: string): ShareOf {
  const shareOf = new Map<string, string>();
  for (const [account, namespaces] of Object.entries(schema.parse(JSON.parse(text)))) {
    for (const namespace of namespaces) shareOf.set(namespace, `account/${account}`);
  }
  return (namespace) => shareOf.get(namespace) ?? `workspace/${namespace}`;
}
