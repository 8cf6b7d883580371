import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import {
  type Access,
  accessKeyOf,
  accessLevels,
  hostKeyOf,
  isMarked,
  type KeyScope,
} from '../../../core/accounts/accessKeys.ts';
import type { Keyring } from '../../../core/accounts/keyring.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { stableJson } from '../../../core/lib/hash.ts';
import { keptBytes } from '../../../core/lib/keptBytes.ts';
import { createRecentMap } from '../../../core/lib/recentMap.ts';
import type { AccessCheck, Admitted, GatewayCore } from '../core.ts';
import type { NamedKey, RpcNetwork } from '../deps.ts';
import type { ServicePolicy } from '../policy/policy.ts';
import { type Route, routeOf } from '../route.ts';
import { unknownGraceMs } from '../wake/readiness.ts';
import { endOf, policyFor } from './namedKey.ts';

/**
 * The caller's access and the service that the URL names; undefined for every other URL, without a reason. Rejects with
 * Unavailable if no more callers may wait for a network that is not known yet, with Unauthorized if a key with a name has ended.
 */
export async function admit(
  core: GatewayCore,
  request: Pick<IncomingMessage, 'url' | 'headers'>,
  requestId: string,
): Promise<Admitted | undefined> {
  const route = routeOf(request, core.deps.serviceDomain ?? '');
  if (!route) return undefined;
  const { service, rest, isHosted } = route;
  const opened = openedBy(core, route) ?? (await openedLater(core, route));
  if (!opened) return undefined;
  const { network, access, named } = opened;
  const offered = core.servicesOf(network).get(service);
  if (!offered || (offered.needs === 'admin' && access !== 'admin')) return undefined;
  const policy = named ? policyFor(offered, named) : offered;
  if (!policy) return undefined;
  if (isHosted && !hasSignIn(policy)) return undefined;
  const { uid: networkUid, namespace: workspace } = network;
  const key = named?.name ?? access;
  const expiresAtMs = named?.expiresAtMs;
  const isCurrent = () => isOpen(core, route, opened);
  return {
    networkUid,
    workspace,
    service,
    policy,
    access,
    key,
    expiresAtMs,
    rest,
    isHosted,
    requestId,
    isCurrent,
  };
}

interface Opened {
  network: RpcNetwork;
  access: Access;
  /** Undefined: a key that every network has. */
  named?: NamedKey;
}

/** Whether the key of a URL still opens what it has opened. */
function isOpen(
  { deps, access: check }: GatewayCore,
  route: Route,
  { network, access, named }: Opened,
): boolean {
  const now = deps.networks.find(network.uid);
  if (!now) return false;
  if (!named) return now === network || check.of(route, now) === access;
  const found = deps.namedKeys?.find(now, route.accessKey);
  const isSame = found?.methods?.join() === named.methods?.join();
  return found !== undefined && isSame && endOf(found, deps.clock.nowMs()) === undefined;
}

/** The network that the key of a URL opens, among those with its id. */
function openedBy({ deps, access: check }: GatewayCore, route: Route): Opened | undefined {
  for (const network of deps.networks.at(route.id)) {
    const access = check.of(route, network);
    if (access) return { network, access };
    const named = route.isHosted ? undefined : deps.namedKeys?.find(network, route.accessKey);
    if (!named) continue;
    const ended = endOf(named, deps.clock.nowMs());
    if (ended) throw ended;
    return { network, access: 'public', named };
  }
  return undefined;
}

/**
 * Waits for a network that another replica has just created: it may be here without its first keys. Guesses are refused before
 * anything waits for them.
 */
async function openedLater(core: GatewayCore, route: Route): Promise<Opened | undefined> {
  const { deps, readiness, access } = core;
  const { id } = route;
  if (deps.networks.at(id).some(hasKeys) || !access.mayOpen(route)) return undefined;
  const endMs = deps.clock.nowMs() + unknownGraceMs;
  for (let leftMs = unknownGraceMs; leftMs > 0; leftMs = endMs - deps.clock.nowMs()) {
    const isGone = readiness.now(id, []) !== undefined;
    if (isGone) return undefined;
    const refusal = await readiness.nextChange(id, leftMs);
    if (refusal) throw refusal;
    const opened = openedBy(core, route);
    if (opened) return opened;
  }
  return undefined;
}

const hasKeys = ({ accessEpochs }: RpcNetwork) => Object.keys(accessEpochs).length > 0;

type KeyedRoute = Pick<Route, 'id' | 'service' | 'isHosted'>;
type KeyedNetwork = Pick<RpcNetwork, 'keyScopes' | 'accessEpochs'>;

const maxRemembered = 10_000;
/** So that nothing is kept of networks that are gone. */
const rememberedMs = 600_000;

interface Remembered extends KeyedNetwork {
  keys: { access: Access; key: Buffer }[];
}

/** Keeps the keys of networks: two HMACs per call reduce throughput. A key of any line of the keyring is valid. */
export function createAccessCheck({ keys: installed }: Keyring, clock: Pick<Clock, 'nowMs'>): AccessCheck {
  const remembered = createRecentMap<string, Remembered>({
    maxEntries: maxRemembered,
    ageMs: rememberedMs,
    clock,
  });
  const keysOf = (route: KeyedRoute, { keyScopes, accessEpochs }: KeyedNetwork) =>
    keyScopes
      .filter(({ id }) => id === route.id)
      .flatMap((scope) =>
        accessLevels.flatMap((access) => {
          const epoch = accessEpochs[access];
          if (epoch === undefined) return [];
          return [...installed.values()].map((key) => ({
            access,
            key: keptBytes(keyTextOf(key, { ...route, scope, access, epoch })),
          }));
        }),
      );
  return {
    of(route, network) {
      const { id, accessKey, service, isHosted } = route;
      const name = isHosted ? `${network.uid}/${id}/${service}` : `${network.uid}/${id}`;
      const known = remembered.get(name);
      const isKnown = known !== undefined && isSame(known, network);
      const keys = isKnown ? known.keys : keysOf(route, network);
      const given = Buffer.from(accessKey);
      const match = keys.find(({ key }) => key.length === given.length && timingSafeEqual(key, given));
      // Only keys of networks that somebody has opened are kept, so that guesses cannot fill the memory.
      if (match && !isKnown) {
        const { keyScopes, accessEpochs } = network;
        remembered.set(name, { keyScopes, accessEpochs, keys });
      }
      return match?.access;
    },
    mayOpen: (route) => [...installed.values()].some((key) => isMarked(key, route.accessKey, route)),
  };
}

type KeyInput = KeyedRoute & { scope: KeyScope; access: Access; epoch: number };

function keyTextOf(key: Uint8Array, { isHosted, ...input }: KeyInput) {
  return isHosted ? hostKeyOf(key, input) : accessKeyOf(key, input);
}

/** A host name is less secret than a path, so it opens only what asks for more than its key. */
function hasSignIn(policy: ServicePolicy): boolean {
  return policy.kind === 'plainHttp' && policy.hasSignIn === true;
}

function isSame(one: KeyedNetwork, other: KeyedNetwork): boolean {
  if (one.keyScopes === other.keyScopes && one.accessEpochs === other.accessEpochs) return true;
  return stableJson([one.keyScopes, one.accessEpochs]) === stableJson([other.keyScopes, other.accessEpochs]);
}
