import type { NetworkResource, NetworkSpec } from '../../core/api/resources/network.ts';
import { maintenanceRefusal } from '../../core/api/rules/forking.ts';
import { describeFullQuota, wantsPersistence } from '../../core/api/rules/persistentQuota.ts';
import { AppError, type ErrorDetail } from '../../core/lib/errors.ts';
import { stableJson } from '../../core/lib/hash.ts';
import type { NetworkDeps } from './deps.ts';
import { refuseMembers } from './members.ts';

export type CheckDeps = Pick<NetworkDeps, 'cache' | 'catchUp' | 'unavailableParts' | 'maxPersistentNetworks'>;

interface Wanted {
  namespace: string;
  name: string;
  spec: NetworkSpec;
  /** What is there by now; undefined for a new network. */
  current?: NetworkResource;
}

/**
 * Throws BadRequest naming each part of a valid spec that cannot be had here and now. What is as it was is not asked
 * about again: someone may have brought it by kubectl, and must be able to send back what was read.
 */
export async function checkSpec(deps: CheckDeps, wanted: Wanted): Promise<void> {
  const { spec, current } = wanted;
  const details = deps.unavailableParts(spec);
  if (!current || stableJson(current.spec) !== stableJson(spec)) {
    details.push(...refuseMaintenance(spec), ...(await refusePersistence(deps, wanted)));
    details.push(...(await refuseMembers(deps, wanted.namespace, spec)));
  }
  if (details.length === 0) return;
  const list = details.map(({ path, message }) => `${path}: ${message}`).join('; ');
  throw new AppError('BadRequest', `the network cannot be run here: ${list}`, { details });
}

function refuseMaintenance(spec: NetworkSpec): ErrorDetail[] {
  const message = maintenanceRefusal(spec);
  return message === undefined ? [] : [{ path: 'spec.maintenanceRequest.action', message }];
}

/**
 * Counts the persistent networks of the workspace. A namesake is left out: it is this network, or an earlier attempt
 * of this request, or in the way of it anyhow. Of several requests at once more may pass than there are places: the
 * operator gives those out one by one.
 */
async function refusePersistence(
  deps: CheckDeps,
  { namespace, name, spec, current }: Wanted,
): Promise<ErrorDetail[]> {
  if (!spec.persistent || current?.spec.persistent) return [];
  await deps.catchUp(namespace);
  const holders = deps.cache
    .inNamespace(namespace)
    .filter((other) => other.metadata.name !== name && wantsPersistence(other));
  if (holders.length < deps.maxPersistentNetworks) return [];
  return [{ path: 'spec.persistent', message: describeFullQuota(holders, deps.maxPersistentNetworks) }];
}
