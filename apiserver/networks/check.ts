import type { NetworkResource, NetworkSpec } from '../../core/api/resources/network.ts';
import { maintenanceRefusal } from '../../core/api/rules/forking.ts';
import { refuseLifetimes, refusePastExpiry } from '../../core/api/rules/lifetimes.ts';
import {
  describeFullQuota,
  waitsForPersistence,
  wantsPersistence,
} from '../../core/api/rules/persistentQuota.ts';
import { type ErrorDetail, refusalWith } from '../../core/lib/errors.ts';
import { stableJson } from '../../core/lib/hash.ts';
import { withProfile } from '../../core/networks/profiles.ts';
import type { NetworkDeps } from './deps.ts';
import { refuseIdentity } from './identity.ts';
import { refuseMembers } from './members.ts';
import { refuseSize } from './size.ts';

export type CheckDeps = Pick<
  NetworkDeps,
  | 'cache'
  | 'clock'
  | 'unavailableParts'
  | 'forks'
  | 'refuseForkSource'
  | 'refuseFrom'
  | 'maxPersistentNetworks'
  | 'size'
  | 'lifetimes'
>;

interface RequestedNetwork {
  namespace: string;
  name: string;
  spec: NetworkSpec;
  /** The existing network; undefined for a new one. */
  current?: NetworkResource;
}

/**
 * Throws BadRequest naming each part of a valid spec that this installation cannot run now. An unchanged spec is not
 * checked again: it may have been created by kubectl, and its user must be able to send back what was read.
 */
export function checkSpec(deps: CheckDeps, requested: RequestedNetwork): void {
  const { spec, current } = requested;
  const details = deps.unavailableParts(withProfile(spec, current?.status));
  if (!current || stableJson(current.spec) !== stableJson(spec)) {
    details.push(
      ...refuseSize(spec, deps.size),
      ...refuseMaintenance(spec),
      ...refuseLifetimes(spec, deps.lifetimes),
      ...(current ? refusePastExpiry({ ...current, spec }, deps.lifetimes, deps.clock.nowMs()) : []),
      ...refusePersistence(deps, requested),
    );
    if (stableJson(current?.spec.chain) !== stableJson(spec.chain)) {
      // A fork may be impossible for more than one reason: the driver's is the better one.
      const isKnown = (path: string) => details.some((one) => one.path.startsWith(path));
      details.push(...refuseIdentity(spec, deps.forks).filter(({ path }) => !isKnown(path)));
      details.push(...deps.refuseForkSource(requested.namespace, spec));
    }
    if (stableJson([current?.spec.from, current?.spec.chain]) !== stableJson([spec.from, spec.chain])) {
      details.push(...deps.refuseFrom(requested.namespace, spec));
    }
    details.push(...refuseMembers(deps, requested.namespace, spec));
  }
  if (details.length > 0) throw refusalWith('this installation cannot run the network', details);
}

function refuseMaintenance(spec: NetworkSpec): ErrorDetail[] {
  const message = maintenanceRefusal(spec);
  return message === undefined ? [] : [{ path: 'spec.maintenanceRequest.action', message }];
}

/**
 * Counts the persistent networks of the workspace. A network of the same name is not counted: it is this network, an
 * earlier attempt of this request, or a conflict anyway. Concurrent requests may exceed the quota here; the operator
 * enforces it by assigning places one by one.
 */
function refusePersistence(
  deps: CheckDeps,
  { namespace, name, spec, current }: RequestedNetwork,
): ErrorDetail[] {
  if (!spec.persistent || current?.spec.persistent) return [];
  const others = deps.cache
    .inNamespace(namespace)
    .filter((other) => other.metadata.name !== name && wantsPersistence(other));
  if (others.length < deps.maxPersistentNetworks) return [];
  const waiting = others.filter((other) => waitsForPersistence(other));
  const holders = others.filter((other) => !waiting.includes(other));
  const message = describeFullQuota({ holders, waiting }, deps.maxPersistentNetworks);
  return [{ path: 'spec.persistent', message }];
}
