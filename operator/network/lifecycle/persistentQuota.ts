import type { NetworkResource } from '../../../core/api/resources/network.ts';
import {
  describeFullQuota,
  persistentCondition,
  wantsPersistence,
} from '../../../core/api/rules/persistentQuota.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { conditionOf } from '../../runtime/status.ts';

/** Assigns the slots for persistent networks in each workspace. */
export interface PersistentQuota {
  /** Why `network` gets no slot among `rivals`, its workspace's persistent networks; undefined if it has one. */
  refuse(network: Stored<NetworkResource>, rivals: readonly Stored<NetworkResource>[]): string | undefined;
}

/**
 * A network keeps its slot even when the quota shrinks, because losing the slot would eventually lose data. Free slots
 * go to the oldest waiting networks. A slot counts as soon as it is assigned: the cache may not show the status yet.
 */
export function createPersistentQuota(quota: number): PersistentQuota {
  const assignedUids = new Map<string, Set<string>>();
  return {
    refuse(network, all) {
      const { namespace, uid } = network.metadata;
      const rivals = all.filter(wantsPersistence);
      const exists = (candidate: string) => rivals.some(({ metadata }) => metadata.uid === candidate);
      const assigned = new Set([...(assignedUids.get(namespace) ?? [])].filter(exists));
      assignedUids.set(namespace, assigned);
      if (!wantsPersistence(network)) return undefined;
      const holds = (rival: Stored<NetworkResource>) =>
        isWithinQuota(rival) || assigned.has(rival.metadata.uid);
      if (holds(network)) return undefined;
      const holders = rivals.filter(holds);
      const olderWaiting = rivals.filter((rival) => !holds(rival) && seniority(rival) < seniority(network));
      if (holders.length + olderWaiting.length >= quota)
        return describeFullQuota({ holders, waiting: olderWaiting }, quota);
      assigned.add(uid);
      return undefined;
    },
  };
}

/** Whether the status says that a network has a slot. */
export function isWithinQuota(network: Stored<NetworkResource>): boolean {
  return conditionOf(network.status, persistentCondition)?.status === 'True';
}

/** Sorts older networks first; the name breaks ties within the same second. */
function seniority({ metadata }: Stored<NetworkResource>): string {
  return `${metadata.creationTimestamp} ${metadata.name}`;
}
