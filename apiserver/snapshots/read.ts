import type { QueryOf } from '../../core/api/operations/operations.ts';
import { operations } from '../../core/api/operations/operations.ts';
import type { Snapshot, SnapshotResource } from '../../core/api/resources/snapshot.ts';
import {
  describeSnapshot,
  isOfNetwork,
  readSnapshotField,
  toSnapshot,
} from '../../core/api/views/snapshotView.ts';
import type { Stored } from '../../core/kube/kube.ts';
import type { Principal } from '../http/auth/principal.ts';
import { listPage } from '../http/paging/list.ts';
import type { Handler, Reply } from '../http/pipeline/handler.ts';
import { notFound } from '../store/find.ts';
import type { SnapshotDeps } from './deps.ts';

/** The snapshots of the workspace by name, those of deleted networks included. */
export function listSnapshots(deps: SnapshotDeps): Handler<'listSnapshots'> {
  return ({ principal, query }) => listThose(deps, { principal, query, endpoint: 'listSnapshots' });
}

/** The snapshots of one network by name. Does not count as activity. */
export function listNetworkSnapshots(deps: SnapshotDeps): Handler<'listNetworkSnapshots'> {
  return async ({ principal, params, query }) => {
    const network = await deps.networks.find(principal.namespace, params.id);
    const isIncluded = (snapshot: Stored<SnapshotResource>) => isOfNetwork(snapshot, network);
    const endpoint = `listNetworkSnapshots/${params.id}`;
    return listThose(deps, { principal, query, endpoint, isIncluded });
  };
}

export function getSnapshot(deps: SnapshotDeps): Handler<'getSnapshot'> {
  return async ({ principal, params }) =>
    answerSnapshot(await deps.find(principal.namespace, params.id), principal);
}

export function getNetworkSnapshot(deps: SnapshotDeps): Handler<'getNetworkSnapshot'> {
  return async ({ principal, params }) => {
    const { snapshot } = await findBoth(deps, principal, params);
    return answerSnapshot(snapshot, principal);
  };
}

/** A network, and one of its snapshots. Throws NotFound. */
export async function findBoth(
  deps: Pick<SnapshotDeps, 'find' | 'networks'>,
  { namespace }: Principal,
  { id, snapshotId }: { id: string; snapshotId: string },
) {
  const network = await deps.networks.find(namespace, id);
  const snapshot = await deps.find(namespace, snapshotId);
  if (!isOfNetwork(snapshot, network)) throw notFound('Snapshot');
  return { network, snapshot };
}

/** The answer with one snapshot. */
export function answerSnapshot(
  snapshot: Stored<SnapshotResource>,
  { workspaceId }: Principal,
): Reply<Snapshot> & { body: Snapshot } {
  return { body: toSnapshot(snapshot, workspaceId), objects: [describeSnapshot(snapshot)] };
}

interface Listing {
  principal: Principal;
  query: QueryOf<'listSnapshots'>;
  /** Of a cursor: one of another list is not valid. */
  endpoint: string;
  isIncluded?(snapshot: Stored<SnapshotResource>): boolean;
}

async function listThose(deps: SnapshotDeps, { isIncluded = () => true, ...listing }: Listing) {
  const { namespace, workspaceId } = listing.principal;
  const { json } = listPage(
    {
      kind: 'SnapshotList',
      version: 'v1alpha',
      ...listing,
      selectable: operations.listSnapshots.selectable,
      itemsFor: () => deps.cache.inNamespace(namespace).filter(isIncluded),
      keyOf: ({ metadata }) => metadata.name,
      readField: readSnapshotField,
      toJson: (snapshot) => JSON.stringify(toSnapshot(snapshot, workspaceId)),
    },
    deps.cursors,
  );
  return { json };
}
