import { nameList } from '../nameList.ts';
import type { NetworkResource } from '../resources/network.ts';
import type { NetworkStatus } from '../resources/networkStatus.ts';

/** The condition of a network with spec.persistent: whether it is within its workspace's quota. */
export const persistentCondition = 'Persistent';

/** Whether a network counts towards its workspace's quota of persistent networks; one being deleted does not. */
export function wantsPersistence({ metadata, spec }: NetworkResource): boolean {
  return spec.persistent === true && metadata.deletionTimestamp === undefined;
}

/** Whether a network was refused a place in the quota, and waits for one. */
export function waitsForPersistence(
  network: NetworkResource,
  status: Pick<NetworkStatus, 'conditions'> | undefined = network.status,
): boolean {
  const condition = status?.conditions?.find(({ type }) => type === persistentCondition);
  return wantsPersistence(network) && condition?.status === 'False';
}

interface Claims {
  holders: readonly NetworkResource[];
  /** Those that come before the next one. */
  waiting: readonly NetworkResource[];
}

/** Says that a workspace has used up its quota, which networks use it, and what to do. */
export function describeFullQuota({ holders, waiting }: Claims, quota: number): string {
  if (quota === 0) return 'this installation has no persistent networks (quota.persistentNetworks is 0)';
  const names = holders.map(({ metadata }) => metadata.name).sort();
  const queue = waiting.length === 0 ? '' : ` (${waiting.length} more wait for a place)`;
  return (
    `${holders.length} of ${quota} persistent networks of this workspace are in use: ` +
    `${nameList(names)}${queue}; delete one, set spec.persistent to false there, or leave it false here`
  );
}
