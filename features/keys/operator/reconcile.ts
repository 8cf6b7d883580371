import { namedKeyOf } from '../../../core/accounts/accessKeys.ts';
import { currentKeyOf } from '../../../core/accounts/keyring.ts';
import { idOf, labelledId } from '../../../core/api/ids.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { parseRfc3339 } from '../../../core/lib/clock.ts';
import { isAppError } from '../../../core/lib/errors.ts';
import { stableJson } from '../../../core/lib/hash.ts';
import { namedUrls } from '../../../core/networks/endpointUrls.ts';
import { ownUrlsRefusal } from '../../../core/networks/ownUrls.ts';
import type { ReconcileResult } from '../../../operator/runtime/controller.ts';
import {
  type RpcKeyResource,
  type RpcKeyStatus,
  reservedNames,
  reservedRefusal,
  rpcKeyType,
} from '../api/rpcKey.ts';
import { hasExpired, membersKeys, scopeOf } from '../core/standing.ts';
import type { KeyDeps } from './deps.ts';
import { createKeyRecords, type KeyRecords } from './records.ts';

/** Lets a key begin, and keeps its status current. */
export function createKeyReconcile(deps: KeyDeps) {
  const records = createKeyRecords({ ...deps, ...deps.caches });
  return async function reconcile(ref: string): Promise<ReconcileResult> {
    const [namespace = '', name = ''] = ref.split('/');
    const key = deps.caches.keys.get({ namespace, name });
    if (!key || key.metadata.deletionTimestamp) return { state: 'Gone' };
    const status = await statusOf(deps, key, records);
    if (stableJson(status) !== stableJson(key.status ?? {})) await report(deps, key, status);
    return { state: status.state, ...requeueAt(deps, key, status) };
  };
}

/** A timer holds no longer: it is set again. */
const longestWaitMs = 86_400_000;

/** When the key expires, its status says so. */
function requeueAt({ clock }: KeyDeps, { spec }: Stored<RpcKeyResource>, { state }: RpcKeyStatus) {
  const expiresAtMs = parseRfc3339(spec.expiresAt);
  if (state === 'Expired' || expiresAtMs === undefined) return {};
  return { requeueAfterMs: Math.min(longestWaitMs, Math.max(0, expiresAtMs - clock.nowMs())) };
}

async function statusOf(
  deps: KeyDeps,
  key: Stored<RpcKeyResource>,
  records: KeyRecords,
): Promise<RpcKeyStatus> {
  const { namespace } = key.metadata;
  const network = deps.caches.networks.get({ namespace, name: key.spec.network });
  if (!network)
    return { state: 'Pending', message: `there is no network "${key.spec.network}" in this workspace` };
  if (labelledId(network.metadata) === undefined)
    return { state: 'Pending', message: 'the network has no id yet' };
  const refusal = ownUrlsRefusal(network, membersKeys);
  if (refusal !== undefined) return { state: 'Error', message: refusal };
  if (reservedNames.includes(key.metadata.name))
    return { state: 'Error', message: `"${key.metadata.name}" ${reservedRefusal}` };
  if (hasExpired(key.spec.expiresAt, deps.clock.nowMs()))
    return { state: 'Expired', message: 'it has expired: create another one' };
  try {
    const epoch = await records.admit(key, idOf(network));
    return { state: 'Active', endpoints: endpointsOf(deps, { key, network, epoch }) };
  } catch (error) {
    if (!isAppError(error, 'TooManyRequests')) throw error;
    return { state: 'Error', message: error.message };
  }
}

interface Admitted {
  key: Stored<RpcKeyResource>;
  network: Stored<NetworkResource>;
  epoch: number;
}

function endpointsOf(
  { accessKeys, installation: { publicUrl } }: KeyDeps,
  { key: { metadata, spec }, network, epoch }: Admitted,
): Record<string, string> {
  const scope = scopeOf(metadata.namespace, idOf(network));
  const text = namedKeyOf(currentKeyOf(accessKeys), { scope, name: metadata.name, epoch });
  const services = Object.keys(network.status?.endpoints ?? {});
  const isByMethod = (service: string) => spec.methods === undefined || /^(rpc|ws|el-\d+)$/.test(service);
  return namedUrls(services.filter(isByMethod), { publicUrl, id: scope.id, key: text });
}

async function report(
  { kube, caches }: KeyDeps,
  key: Stored<RpcKeyResource>,
  status: RpcKeyStatus,
): Promise<void> {
  try {
    const patch = { status: { ...status, ...removedFrom(key.status, status) } };
    caches.keys.observe(await kube.patch(rpcKeyType, key.metadata, patch, 'status'));
  } catch (error) {
    if (!isAppError(error, 'NotFound')) throw error;
  }
}

/** A merge patch removes only what it names. */
function removedFrom(before: RpcKeyStatus | undefined, { message, endpoints }: RpcKeyStatus): object {
  const former = Object.keys(before?.endpoints ?? {}).map((service) => [service, null]);
  return {
    message: message ?? null,
    endpoints: endpoints ? { ...Object.fromEntries(former), ...endpoints } : null,
  };
}
