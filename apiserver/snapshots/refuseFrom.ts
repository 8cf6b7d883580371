import type { NetworkSpec } from '../../core/api/resources/network.ts';
import { fromRefusal, missingSnapshot, snapshotRefusal } from '../../core/api/rules/snapshots.ts';
import type { ErrorDetail } from '../../core/lib/errors.ts';
import type { SnapshotDeps } from './deps.ts';

/** Why the chains of a network of this namespace cannot begin from the snapshot that its spec names. */
export type RefuseFrom = (namespace: string, spec: NetworkSpec) => ErrorDetail[];

/** Unlike a secret, a snapshot must exist before its network: a chain begins only once. */
export function createRefuseFrom({ cache }: Pick<SnapshotDeps, 'cache'>): RefuseFrom {
  return (namespace, spec) => {
    const name = spec.from?.snapshot;
    if (name === undefined) return [];
    const path = 'spec.from.snapshot';
    const refusal = snapshotRefusal(spec.chain);
    if (refusal !== undefined) return [{ path: 'spec.from', message: `remove it: ${refusal}` }];
    const snapshot = cache.byName(namespace, name);
    const message = snapshot ? fromRefusal(spec, snapshot) : missingSnapshot(name);
    return message === undefined ? [] : [{ path, message }];
  };
}
