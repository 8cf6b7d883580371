import { accessLevels } from '../../core/accounts/accessKeys.ts';
import { idOf } from '../../core/api/ids.ts';
import { apiVersion } from '../../core/api/names.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { AccessKeysStatus } from '../../core/api/resources/networkStatus.ts';
import {
  type KeyEpochsResource,
  type KeyEpochsSpec,
  keyEpochsName,
  maxKeyEpochs,
} from '../../core/api/resources/records/keyEpochs.ts';
import { keyEpochsType } from '../../core/api/resources/resources.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Kube, Stored } from '../../core/kube/kube.ts';
import { toRfc3339 } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import { isAppError } from '../../core/lib/errors.ts';
import { beginningAt } from '../../core/networks/accessEpochs.ts';
import { readFirstKeyEpoch } from '../../core/networks/firstKeyEpoch.ts';

/** Which keys were rotated, kept beyond the networks themselves: applying a deleted network again brings no former key back. */
export interface KeyEpochs {
  /** Learns with which keys a new network begins. Call it before `keptFor`. */
  prepare(network: Stored<NetworkResource>): Promise<void>;
  /** The keys that the id of a network has reached; undefined for one that was never rotated. */
  keptFor(network: Stored<NetworkResource>): AccessKeysStatus | undefined;
  /** Remembers the keys of a network. Call it before the status names them. */
  keep(network: Stored<NetworkResource>, accessKeys: AccessKeysStatus | undefined): Promise<void>;
}

export interface KeyEpochsDeps {
  kube: Pick<Kube, 'get' | 'create' | 'patch' | 'serverTimeMs'>;
  caches: {
    keyEpochs: Pick<Reflector<KeyEpochsResource>, 'get' | 'observe'>;
    networks: Pick<Reflector<NetworkResource>, 'byIndex'>;
  };
}

type Entries = KeyEpochsSpec['networks'];

export function createKeyEpochs({ kube, caches }: KeyEpochsDeps): KeyEpochs {
  const specIn = (namespace: string): KeyEpochsSpec =>
    caches.keyEpochs.get({ namespace, name: keyEpochsName })?.spec ?? { networks: {} };
  const firsts = createFirsts(kube);

  return {
    async prepare({ metadata: { namespace }, status }) {
      if (!status?.accessKeys) await firsts.learn(namespace);
    },
    keptFor(network) {
      const { namespace } = network.metadata;
      const { networks, floor = 0 } = specIn(namespace);
      const known = keysIn(networks[idOf(network)]);
      if (known) return known;
      const first = Math.max(floor, firsts.known(namespace));
      return first === 0 || network.status?.accessKeys ? undefined : beginningAt(first);
    },
    async keep(network, accessKeys) {
      const { namespace } = network.metadata;
      const id = idOf(network);
      const { networks, floor } = specIn(namespace);
      const known = keysIn(networks[id]);
      if (!accessKeys || !isNews(accessKeys, known ?? beginningAt(floor))) return;
      if (!known && !isNews(accessKeys, beginningAt(await firsts.of(namespace)))) return;
      const isGone = (one: string) => caches.networks.byIndex('id', `${namespace}/${one}`).length === 0;
      const ended = Object.keys(networks).length < maxKeyEpochs ? [] : oldestOf(networks, isGone);
      const at = toRfc3339(await kube.serverTimeMs());
      const removed = Object.fromEntries(ended.map((one) => [one, null]));
      const raised = floorOf(
        floor,
        ended.map((one) => networks[one]),
      );
      const spec = { networks: { ...removed, [id]: { ...accessKeys, at } }, ...compact({ floor: raised }) };
      await write(kube, caches.keyEpochs, { namespace, spec });
    },
  };
}

/** With which keys networks begin, by namespace. */
function createFirsts(kube: KeyEpochsDeps['kube']) {
  const firsts = new Map<string, number>();
  async function learn(namespace: string): Promise<number> {
    const epoch = await readFirstKeyEpoch(kube, namespace);
    firsts.set(namespace, epoch);
    return epoch;
  }
  return {
    learn,
    known: (namespace: string) => firsts.get(namespace) ?? 0,
    of: async (namespace: string) => firsts.get(namespace) ?? (await learn(namespace)),
  };
}

async function write(
  kube: KeyEpochsDeps['kube'],
  cache: KeyEpochsDeps['caches']['keyEpochs'],
  { namespace, spec }: { namespace: string; spec: object },
): Promise<void> {
  const ref = { namespace, name: keyEpochsName };
  try {
    cache.observe(await kube.patch(keyEpochsType, ref, { spec }));
  } catch (error) {
    if (!isAppError(error, 'NotFound')) throw error;
    const fresh = { apiVersion, kind: 'KeyEpochs' as const, metadata: ref, spec: { networks: {} } };
    await kube.create(keyEpochsType, fresh);
    cache.observe(await kube.patch(keyEpochsType, ref, { spec }));
  }
}

function keysIn(entry: Entries[string] | undefined): AccessKeysStatus | undefined {
  return entry && { public: entry.public, admin: entry.admin };
}

/** Whether a key was rotated since, and none is older than what is known, as in a restored status. */
function isNews(keys: AccessKeysStatus, known: AccessKeysStatus): boolean {
  const isBehind = accessLevels.some((access) => keys[access].epoch < known[access].epoch);
  return !isBehind && accessLevels.some((access) => keys[access].epoch > known[access].epoch);
}

/** How many entries make room at a time. */
const endedAtOnce = 100;

function oldestOf(networks: Entries, isGone: (id: string) => boolean): string[] {
  const ids = Object.keys(networks).filter(isGone);
  return ids
    .sort((one, other) => ((networks[one]?.at ?? '') < (networks[other]?.at ?? '') ? -1 : 1))
    .slice(0, endedAtOnce);
}

function floorOf(
  before: number | undefined,
  ended: readonly (Entries[string] | undefined)[],
): number | undefined {
  if (ended.length === 0) return before;
  const epochs = ended.flatMap((one) => (one ? [one.public.epoch, one.admin.epoch] : []));
  return Math.max(before ?? 0, ...epochs);
}
