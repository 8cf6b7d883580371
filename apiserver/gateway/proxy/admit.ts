import { timingSafeEqual } from 'node:crypto';
import { type Access, accessKeyOf } from '../../../core/accounts/accessKeys.ts';
import { createBoundedMap } from '../../../core/lib/boundedMap.ts';
import type { Admitted, GatewayCore } from '../core.ts';
import type { RpcNetwork } from '../deps.ts';
import { parseRoute } from '../route.ts';
import { unknownGraceMs } from '../wake/readiness.ts';

/** The caller's access and the service that the URL names; undefined for every other URL, without a reason. */
export async function admit(
  core: GatewayCore,
  url: string,
  requestId: string,
): Promise<Admitted | undefined> {
  const route = parseRoute(url);
  if (!route) return undefined;
  const { networkUid, service, rest } = route;
  const access = core.accessOf(networkUid, route.accessKey);
  if (!access) return undefined;
  const network = core.deps.networks.find(networkUid) ?? (await awaitNetwork(core, networkUid));
  const policy = network && core.servicesOf(network).get(service);
  if (!policy || (policy.needs === 'admin' && access !== 'admin')) return undefined;
  return { networkUid, service, policy, access, rest, requestId };
}

/** Waits for a network that another replica has just created: its services depend on its chain type. */
async function awaitNetwork({ deps, readiness }: GatewayCore, uid: string): Promise<RpcNetwork | undefined> {
  const endMs = deps.clock.nowMs() + unknownGraceMs;
  for (let leftMs = unknownGraceMs; leftMs > 0; leftMs = endMs - deps.clock.nowMs()) {
    const isGone = readiness.now(uid, []) !== undefined;
    if (isGone) return undefined;
    await readiness.nextChange(uid, leftMs);
    const network = deps.networks.find(uid);
    if (network) return network;
  }
  return undefined;
}

const maxRemembered = 10_000;

/** Like `accessOf` of core/accounts, but caches the keys of a network: two HMACs per call reduce throughput. */
export function createAccessCheck(
  gatewayKey: Uint8Array,
): (networkUid: string, given: string) => Access | undefined {
  const remembered = createBoundedMap<string, { access: Access; key: Buffer }[]>(maxRemembered);
  const keysOf = (uid: string) =>
    (['public', 'admin'] as const).map((access) => ({
      access,
      key: Buffer.from(accessKeyOf(gatewayKey, uid, access)),
    }));
  return (uid, given) => {
    const known = remembered.get(uid);
    const keys = known ?? keysOf(uid);
    const actual = Buffer.from(given);
    const match = keys.find(({ key }) => key.length === actual.length && timingSafeEqual(key, actual));
    // Only uids with a valid key are cached, so that guesses cannot fill the memory.
    if (!match || known) return match?.access;
    remembered.set(uid, keys);
    return match.access;
  };
}
