import { idOf } from '../../core/api/ids.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { FromStatus, SnapshotResource } from '../../core/api/resources/snapshot.ts';
import { fromRefusal, missingSnapshot } from '../../core/api/rules/snapshots.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { compact } from '../../core/lib/compact.ts';

/** The snapshot that a spec names, or why its chains cannot begin from it. */
export type ResolvedSnapshot =
  | { from: Omit<FromStatus, 'incarnation'> }
  | { refusal: string; reason: 'SnapshotMissing' | 'SnapshotNotReady' | 'SnapshotUnusable' };

/** undefined if the spec names no snapshot. */
export function snapshotOf(
  { snapshots }: { snapshots: Pick<Reflector<SnapshotResource>, 'get'> },
  { metadata: { namespace }, spec }: Stored<NetworkResource>,
): ResolvedSnapshot | undefined {
  const name = spec.from?.snapshot;
  if (name === undefined) return undefined;
  const snapshot = snapshots.get({ namespace, name });
  if (!snapshot || snapshot.metadata.deletionTimestamp !== undefined) {
    return { reason: 'SnapshotMissing', refusal: missingSnapshot(name) };
  }
  const refusal = fromRefusal(spec, snapshot);
  const { state, digest, parts, chainID, block, forkBlock } = snapshot.status ?? {};
  const isWaiting = state !== 'Ready' && state !== 'Failed';
  if (refusal !== undefined) return { reason: isWaiting ? 'SnapshotNotReady' : 'SnapshotUnusable', refusal };
  if (digest === undefined || parts === undefined || chainID === undefined || block === undefined) {
    return { reason: 'SnapshotUnusable', refusal: `the status of the snapshot "${name}" is incomplete` };
  }
  return {
    from: { snapshot: name, id: idOf(snapshot), digest, parts, chainID, block, ...compact({ forkBlock }) },
  };
}
