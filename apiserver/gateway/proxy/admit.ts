import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Access, accessKeyOf, accessLevels, hostKeyOf } from '../../../core/accounts/accessKeys.ts';
import type { Keyring } from '../../../core/accounts/keyring.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { keptBytes } from '../../../core/lib/keptBytes.ts';
import { createRecentMap } from '../../../core/lib/recentMap.ts';
import { type AccessEpochs, firstEpochs } from '../../../core/networks/accessEpochs.ts';
import type { AccessCheck, Admitted, GatewayCore } from '../core.ts';
import type { RpcNetwork } from '../deps.ts';
import type { ServicePolicy } from '../policy/policy.ts';
import { type Route, routeOf } from '../route.ts';
import { unknownGraceMs } from '../wake/readiness.ts';

/**
 * The caller's access and the service that the URL names; undefined for every other URL, without a reason. Rejects with
 * Unavailable if nobody more may wait for a network that is not known yet.
 */
export async function admit(
  core: GatewayCore,
  request: Pick<IncomingMessage, 'url' | 'headers'>,
  requestId: string,
): Promise<Admitted | undefined> {
  const route = routeOf(request, core.deps.serviceDomain ?? '');
  if (!route) return undefined;
  const { networkUid, service, rest, isHosted } = route;
  const known = core.deps.networks.find(networkUid);
  const early = core.accessOf(route, known);
  // Guesses are refused before anything waits for them.
  if (!early) return undefined;
  const network = known ?? (await awaitNetwork(core, networkUid));
  const access = known ? early : core.accessOf(route, network);
  const policy = network && core.servicesOf(network).get(service);
  if (!network || !access || !policy || (policy.needs === 'admin' && access !== 'admin')) return undefined;
  if (isHosted && !hasSignIn(policy)) return undefined;
  const isCurrent = () => {
    const now = core.deps.networks.find(networkUid);
    return now === network || core.accessOf(route, now) === access;
  };
  const workspace = network.namespace;
  return { networkUid, workspace, service, policy, access, rest, isHosted, requestId, isCurrent };
}

/** Waits for a network that another replica has just created: its services depend on its chain type. */
async function awaitNetwork({ deps, readiness }: GatewayCore, uid: string): Promise<RpcNetwork | undefined> {
  const endMs = deps.clock.nowMs() + unknownGraceMs;
  for (let leftMs = unknownGraceMs; leftMs > 0; leftMs = endMs - deps.clock.nowMs()) {
    const isGone = readiness.now(uid, []) !== undefined;
    if (isGone) return undefined;
    const refusal = await readiness.nextChange(uid, leftMs);
    if (refusal) throw refusal;
    const network = deps.networks.find(uid);
    if (network) return network;
  }
  return undefined;
}

type KeyedRoute = Pick<Route, 'networkUid' | 'service' | 'isHosted'>;

const maxRemembered = 10_000;
/** So that nothing is kept of networks that are gone. */
const rememberedMs = 600_000;

interface Remembered {
  epochs: AccessEpochs;
  keys: { access: Access; key: Buffer }[];
}

/** Keeps the keys of networks: two HMACs per call reduce throughput. A key of any line of the keyring is valid. */
export function createAccessCheck({ keys: installed }: Keyring, clock: Pick<Clock, 'nowMs'>): AccessCheck {
  const remembered = createRecentMap<string, Remembered>({
    ...{ maxEntries: maxRemembered, ageMs: rememberedMs, clock },
  });
  const keysOf = (route: KeyedRoute, epochs: AccessEpochs) =>
    accessLevels.flatMap((access) => {
      const epoch = epochs[access];
      if (epoch === undefined) return [];
      return [...installed.values()].map((key) => ({
        access,
        key: keptBytes(keyTextOf(key, { ...route, access, epoch })),
      }));
    });
  return (route, network) => {
    const { networkUid, accessKey, service, isHosted } = route;
    const epochs = network?.accessEpochs ?? firstEpochs;
    const name = isHosted ? `${networkUid}/${service}` : networkUid;
    const known = remembered.get(name);
    const isKnown = known !== undefined && isSame(known.epochs, epochs);
    const keys = isKnown ? known.keys : keysOf(route, epochs);
    const given = Buffer.from(accessKey);
    const match = keys.find(({ key }) => key.length === given.length && timingSafeEqual(key, given));
    // Only uids with a valid key are cached, so that guesses cannot fill the memory.
    if (match && !isKnown) remembered.set(name, { epochs, keys });
    return match?.access;
  };
}

function keyTextOf(key: Uint8Array, { isHosted, ...input }: KeyedRoute & { access: Access; epoch: number }) {
  return isHosted ? hostKeyOf(key, input) : accessKeyOf(key, input);
}

/** A host name is less secret than a path, so it opens only what asks for more than its key. */
function hasSignIn(policy: ServicePolicy): boolean {
  return policy.kind === 'plainHttp' && policy.hasSignIn === true;
}

function isSame(one: AccessEpochs, other: AccessEpochs): boolean {
  return accessLevels.every((access) => one[access] === other[access]);
}
