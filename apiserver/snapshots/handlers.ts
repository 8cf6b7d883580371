import type { Handlers } from '../http/pipeline/handler.ts';
import { createNetworkSnapshot } from './create.ts';
import type { SnapshotDeps } from './deps.ts';
import { getNetworkSnapshot, getSnapshot, listNetworkSnapshots, listSnapshots } from './read.ts';
import { deleteNetworkSnapshot, deleteSnapshot } from './remove.ts';
import { revertNetwork } from './revert.ts';

/** The handlers of all snapshot operations. */
export function createSnapshotHandlers(deps: SnapshotDeps) {
  return {
    listSnapshots: listSnapshots(deps),
    getSnapshot: getSnapshot(deps),
    deleteSnapshot: deleteSnapshot(deps),
    listNetworkSnapshots: listNetworkSnapshots(deps),
    createNetworkSnapshot: createNetworkSnapshot(deps),
    getNetworkSnapshot: getNetworkSnapshot(deps),
    deleteNetworkSnapshot: deleteNetworkSnapshot(deps),
    revertNetwork: revertNetwork(deps),
  } satisfies Handlers;
}
