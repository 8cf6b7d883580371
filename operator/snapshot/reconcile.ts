import { keepsId } from '../../core/api/ids.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { snapshotType } from '../../core/api/resources/resources.ts';
import type { SnapshotResource } from '../../core/api/resources/snapshot.ts';
import type { SnapshotQuota } from '../../core/api/rules/snapshotBudget.ts';
import type { EvmRpc } from '../../core/evm/rpc.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Kube, Stored } from '../../core/kube/kube.ts';
import { type Clock, toRfc3339 } from '../../core/lib/clock.ts';
import { isAppError } from '../../core/lib/errors.ts';
import type { Log } from '../../core/lib/log.ts';
import { cut } from '../../core/lib/text/foreignText.ts';
import type { StorageLedger } from '../../core/storage/ledger.ts';
import type { ReconcileResult } from '../runtime/controller.ts';
import { memberPatch, readyCondition } from '../runtime/status.ts';
import { isOpen } from './caches.ts';
import { type Taken, takeSnapshot } from './take.ts';

export interface SnapshotDeps {
  kube: Kube;
  caches: {
    snapshots: Reflector<SnapshotResource>;
    networks: Pick<Reflector<NetworkResource>, 'get' | 'onChange'>;
  };
  rpcOf(networkUid: string): EvmRpc | undefined;
  quota: SnapshotQuota;
  /** What workspaces may store. */
  storage: Pick<StorageLedger, 'refusal'>;
  clock: Clock;
  log: Log;
}

const retryMs = 5_000;

/** Takes the open snapshots of a namespace, one after the other, so that each finds what the others use of the budget. */
export function createSnapshotReconcile(deps: SnapshotDeps) {
  const { caches } = deps;
  return async function reconcile(namespace: string): Promise<ReconcileResult> {
    let isRetried = false;
    for (const snapshot of oldestFirst(caches.snapshots.byIndex('namespace', namespace))) {
      const latest = caches.snapshots.get(snapshot.metadata);
      // An object that repeats the id of another waits for its own: nothing would find parts under that name.
      if (!latest || !isOpen(latest) || !keepsId(caches.snapshots, latest)) continue;
      isRetried = !(await takeOne(deps, latest)) || isRetried;
    }
    return isRetried ? { requeueAfterMs: retryMs } : {};
  };
}

/** Takes one snapshot and reports it. Returns whether the engine could be used. */
async function takeOne(deps: SnapshotDeps, snapshot: Stored<SnapshotResource>): Promise<boolean> {
  const { namespace, uid } = snapshot.metadata;
  const others = deps.caches.snapshots
    .byIndex('namespace', namespace)
    .filter(({ metadata }) => metadata.uid !== uid);
  const networks = deps.caches.networks;
  try {
    const taken = await takeSnapshot({ ...deps, networks }, snapshot, others);
    await report(deps, snapshot, taken);
    return taken.state !== 'Pending' || taken.reason === 'WaitingForNetwork';
  } catch (error) {
    if (!isAppError(error)) throw error;
    // Also a failed write: the next attempt replaces what this one stored.
    const message = cut(`${error.message}; it is tried again`, 1024);
    await report(deps, snapshot, { state: 'Pending', reason: 'Retrying', message });
    return false;
  }
}

async function report(
  { kube, caches }: SnapshotDeps,
  snapshot: Stored<SnapshotResource>,
  { reason, ...taken }: Taken,
): Promise<void> {
  const nowMs = await kube.serverTimeMs();
  const isReady = taken.state === 'Ready';
  const patch = memberPatch(snapshot.status, {
    ...taken,
    ...(isReady ? { takenAt: toRfc3339(nowMs) } : {}),
    observedGeneration: snapshot.metadata.generation,
    conditions: [readyCondition(snapshot, { isReady, reason, message: taken.message }, nowMs)],
  });
  if (!patch) return;
  const { namespace, name, uid } = snapshot.metadata;
  const write = kube.patch(snapshotType, { namespace, name }, { metadata: { uid }, status: patch }, 'status');
  const written = await write.catch((error: unknown) => {
    // It was deleted meanwhile, or replaced by another one.
    if (!isAppError(error, 'NotFound') && !isAppError(error, 'Conflict')) throw error;
  });
  if (written) caches.snapshots.observe(written);
}

function oldestFirst(snapshots: readonly Stored<SnapshotResource>[]): Stored<SnapshotResource>[] {
  const keyOf = ({ metadata }: Stored<SnapshotResource>) => `${metadata.creationTimestamp} ${metadata.name}`;
  return snapshots.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}
