import { timingSafeEqual } from 'node:crypto';
import { type Access, accessKeyOf, accessLevels } from '../../../core/accounts/accessKeys.ts';
import type { Keyring } from '../../../core/accounts/keyring.ts';
import { createBoundedMap } from '../../../core/lib/boundedMap.ts';
import { keptBytes } from '../../../core/lib/keptBytes.ts';
import { type AccessEpochs, firstEpochs } from '../../../core/networks/accessEpochs.ts';
import type { AccessCheck, Admitted, GatewayCore } from '../core.ts';
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
  const check = () => core.accessOf(route, core.deps.networks.find(networkUid));
  // Guesses are refused before anything waits for them.
  if (!check()) return undefined;
  const network = core.deps.networks.find(networkUid) ?? (await awaitNetwork(core, networkUid));
  const access = check();
  const policy = network && core.servicesOf(network).get(service);
  if (!access || !policy || (policy.needs === 'admin' && access !== 'admin')) return undefined;
  return { networkUid, service, policy, access, rest, requestId, isCurrent: () => check() === access };
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

interface Remembered {
  epochs: AccessEpochs;
  keys: { access: Access; key: Buffer }[];
}

/** Keeps the keys of networks: two HMACs per call reduce throughput. A key of any line of the keyring is valid. */
export function createAccessCheck({ keys: installed }: Keyring): AccessCheck {
  const remembered = createBoundedMap<string, Remembered>(maxRemembered);
  const keysOf = (networkUid: string, epochs: AccessEpochs) =>
    accessLevels.flatMap((access) => {
      const epoch = epochs[access];
      if (epoch === undefined) return [];
      return [...installed.values()].map((key) => ({
        access,
        key: keptBytes(accessKeyOf(key, { networkUid, access, epoch })),
      }));
    });
  return ({ networkUid, accessKey }, network) => {
    const epochs = network?.accessEpochs ?? firstEpochs;
    const known = remembered.get(networkUid);
    const isKnown = known !== undefined && isSame(known.epochs, epochs);
    const keys = isKnown ? known.keys : keysOf(networkUid, epochs);
    const given = Buffer.from(accessKey);
    const match = keys.find(({ key }) => key.length === given.length && timingSafeEqual(key, given));
    // Only uids with a valid key are cached, so that guesses cannot fill the memory.
    if (match && !isKnown) remembered.set(networkUid, { epochs, keys });
    return match?.access;
  };
}

function isSame(one: AccessEpochs, other: AccessEpochs): boolean {
  return accessLevels.every((access) => one[access] === other[access]);
}
