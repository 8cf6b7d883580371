import { nameList } from '../nameList.ts';
import type { NetworkResource } from '../resources/network.ts';

/** Whether a network counts towards its workspace's quota of persistent networks; one being deleted does not. */
export function wantsPersistence({ metadata, spec }: NetworkResource): boolean {
  return spec.persistent === true && metadata.deletionTimestamp === undefined;
}

/** Says that a workspace has used up its quota, which networks use it, and what to do. */
export function describeFullQuota(holders: readonly NetworkResource[], quota: number): string {
  if (quota === 0) return 'this installation has no persistent networks (quota.persistentNetworks is 0)';
  const names = holders.map(({ metadata }) => metadata.name).sort();
  return (
    `${holders.length} of ${quota} persistent networks of this workspace are in use: ` +
    `${nameList(names)}; delete one, set spec.persistent to false there, or leave it false here`
  );
}
