import type { NetworkResource, NetworkStatus } from '../../../core/api/resources/network.ts';
import { describeFullQuota, wantsPersistence } from '../../../core/api/rules/persistentQuota.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { persistentCondition } from '../status/renderStatus.ts';

/** Gives out the places for persistent networks of each workspace. */
export interface PersistentQuota {
  /** Why `network` gets no place among `rivals`, the persistent networks of its workspace; undefined: it has one. */
  refuse(network: Stored<NetworkResource>, rivals: readonly Stored<NetworkResource>[]): string | undefined;
}

/**
 * Who has a place keeps it, also when the quota becomes smaller, for to lose it is to lose data in the end. The free
 * ones go to the oldest of those that wait. A place counts from the moment it is given: its status may still be on
 * its way into the cache.
 */
export function createPersistentQuota(quota: number): PersistentQuota {
  const given = new Map<string, Set<string>>();
  return {
    refuse(network, all) {
      const { namespace, uid } = network.metadata;
      const rivals = all.filter(wantsPersistence);
      const isThere = (candidate: string) => rivals.some(({ metadata }) => metadata.uid === candidate);
      const fresh = new Set([...(given.get(namespace) ?? [])].filter(isThere));
      given.set(namespace, fresh);
      if (!wantsPersistence(network)) return undefined;
      const holds = (rival: Stored<NetworkResource>) => isWithinQuota(rival) || fresh.has(rival.metadata.uid);
      if (holds(network)) return undefined;
      const holders = rivals.filter(holds);
      const elders = rivals.filter((rival) => !holds(rival) && seniority(rival) < seniority(network));
      if (holders.length + elders.length >= quota) return describeFullQuota([...holders, ...elders], quota);
      fresh.add(uid);
      return undefined;
    },
  };
}

/** Whether a network waits for a place: it goes on once there is one. */
export function isWaitingForQuota(
  network: Stored<NetworkResource>,
  status: Pick<NetworkStatus, 'conditions'> | undefined = network.status,
): boolean {
  return wantsPersistence(network) && conditionOf(status) === 'False';
}

function isWithinQuota(network: Stored<NetworkResource>): boolean {
  return conditionOf(network.status) === 'True';
}

function conditionOf(status: Pick<NetworkStatus, 'conditions'> | undefined): string | undefined {
  return status?.conditions?.find(({ type }) => type === persistentCondition)?.status;
}

/** Sorts older networks first; the name decides between those of one second. */
function seniority({ metadata }: Stored<NetworkResource>): string {
  return `${metadata.creationTimestamp} ${metadata.name}`;
}
