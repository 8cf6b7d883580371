import { type Access, accessLevels } from '../accounts/accessKeys.ts';
import type { NetworkResource } from '../api/resources/network.ts';
import type { AccessKeysStatus } from '../api/resources/networkStatus.ts';
import type { KeyEpochsSpec } from '../api/resources/records/keyEpochs.ts';
import { compact } from '../lib/compact.ts';

/** The epoch of each access key; without one, no key with this access is valid. */
export type AccessEpochs = Partial<Record<Access, number>>;

type Network = Pick<NetworkResource, 'spec' | 'status'>;

/**
 * The epochs of the keys that open a network now. A key whose rotation is requested opens nothing any more, even before
 * the operator has counted the new epoch; none does before the operator has said with which a new network begins.
 */
export function accessEpochsOf(network: Network): AccessEpochs {
  if (network.status?.accessKeys === undefined) return {};
  const settled = accessLevels.filter((access) => !isRotationDue(network, access));
  return Object.fromEntries(settled.map((access) => [access, epochOf(network, access)]));
}

/**
 * status.accessKeys with all requested rotations counted. Repeating it with the same input gives the same result. `kept`: what its id had
 * reached before, which counts where the status has less.
 */
export function rotatedAccessKeys(given: Network, kept?: AccessKeysStatus): AccessKeysStatus {
  const accessKeys = laterOf(given.status?.accessKeys, kept);
  const network = { ...given, status: { ...given.status, ...compact({ accessKeys }) } };
  const stateOf = (access: Access) => ({
    epoch: epochOf(network, access) + (isRotationDue(network, access) ? 1 : 0),
    observedNonce: requestedNonce(network, access) ?? observedNonce(network, access),
  });
  return { public: stateOf('public'), admin: stateOf('admin') };
}

/** spec.accessKeyRotation that requests the rotation of these keys, in addition to what is already requested. */
export function requestRotation(
  network: Network,
  levels: readonly Access[],
): NonNullable<NetworkResource['spec']['accessKeyRotation']> {
  const next = (access: Access) =>
    Math.max(requestedNonce(network, access) ?? 0, observedNonce(network, access)) + 1;
  const nonces = levels.map((access) => [nonceFields[access], next(access)] as const);
  return { ...network.spec.accessKeyRotation, ...Object.fromEntries(nonces) };
}

/** Of each key, the state that was rotated more often. */
function laterOf(
  one: AccessKeysStatus | undefined,
  other: AccessKeysStatus | undefined,
): AccessKeysStatus | undefined {
  if (!one || !other) return one ?? other;
  const later = (access: Access) => (one[access].epoch < other[access].epoch ? other : one)[access];
  return { public: later('public'), admin: later('admin') };
}

/** The keys of a network that was not rotated. */
export function beginningAt(epoch = 0): AccessKeysStatus {
  const first = { epoch, observedNonce: 0 };
  return { public: first, admin: first };
}

/** The keys of a backup as a restore writes them over those that are there. Their nonces are those of the spec that it writes. */
export function raisedKeys(former: AccessKeysStatus, live: AccessKeysStatus): AccessKeysStatus {
  const raised = (access: Access) => ({
    ...former[access],
    epoch: Math.max(former[access].epoch, live[access].epoch),
  });
  return { public: raised('public'), admin: raised('admin') };
}

/** The same for the record of a workspace. A network that has no entry there began after what was summed up, and with its namespace. */
export function raisedKeyEpochs(
  former: KeyEpochsSpec,
  live: KeyEpochsSpec | undefined,
  { first }: { first: number },
): KeyEpochsSpec {
  const least = beginningAt(Math.max(live?.floor ?? 0, first));
  const entries = Object.entries(former.networks).map(([id, entry]) => {
    const now = live?.networks[id] ?? least;
    return [id, { at: entry.at, ...raisedKeys(entry, now) }] as const;
  });
  const floor = Math.max(former.floor ?? 0, live?.floor ?? 0);
  const networks = { ...live?.networks, ...Object.fromEntries(entries) };
  return { networks, ...(floor > 0 ? { floor } : {}) };
}

const nonceFields = { public: 'publicNonce', admin: 'adminNonce' } as const;

function isRotationDue(network: Network, access: Access): boolean {
  const requested = requestedNonce(network, access);
  return requested !== undefined && requested !== observedNonce(network, access);
}

function requestedNonce({ spec }: Network, access: Access): number | undefined {
  return spec.accessKeyRotation?.[nonceFields[access]];
}

function observedNonce({ status }: Network, access: Access): number {
  return status?.accessKeys?.[access]?.observedNonce ?? 0;
}

function epochOf({ status }: Network, access: Access): number {
  return status?.accessKeys?.[access]?.epoch ?? 0;
}
