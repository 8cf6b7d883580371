import { idIndex, originIndex } from '../../../core/api/ids.ts';
import { apiVersion } from '../../../core/api/names.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import { networkType } from '../../../core/api/resources/resources.ts';
import { createReflector } from '../../../core/kube/cache/reflector.ts';
import type { Kube } from '../../../core/kube/kube.ts';
import type { ChainScene } from '../../../core/outbox/testing/scene.ts';
import { memberIndex } from '../../network/caches.ts';
import { createPersistentQuota } from '../../network/lifecycle/persistentQuota.ts';
import { createStopLimit } from '../../network/lifecycle/stopLimit.ts';
import { anInstallation } from '../../network/testing/facts.ts';
import { createChainDeps } from '../../token/testing/operator.ts';
import { createLayerZeroController } from '../controller.ts';
import type { LayerZeroDeps } from '../deps.ts';

const limit = { timeoutMs: 60_000 };

/** The LayerZero part of an operator, with its relays, without leader election. */
export async function startLayerZeroOperator(kube: Kube, scene: ChainScene) {
  const chainDeps = createChainDeps(kube, scene);
  const { namespace } = scene.user;
  const networks = createReflector({
    kube,
    clock: chainDeps.clock,
    log: chainDeps.log,
    type: networkType,
    namespace,
    indexes: {
      uid: ({ metadata }) => [metadata.uid ?? ''],
      ...idIndex,
      ...originIndex,
      member: memberIndex,
      persistent: () => [],
    },
  });
  const caches = [networks, ...Object.values(chainDeps.caches)];
  for (const cache of caches) cache.start();
  await Promise.all(caches.map((cache) => cache.whenSynced()));
  const deps: LayerZeroDeps = {
    ...chainDeps,
    caches: { networks },
    installation: anInstallation(),
    persistentQuota: createPersistentQuota(3),
    stopLimit: createStopLimit(20),
  };
  const stopping = new AbortController();
  const running = createLayerZeroController(deps, { workers: 4 }).run(stopping.signal);
  return {
    networks,
    chainDeps,
    /** Resolves with the network of that name once `isFit` returns true. */
    async reach(name: string, isFit: (network: NetworkResource) => boolean, signal?: AbortSignal) {
      const fits = (network: NetworkResource) => network.metadata.name === name && isFit(network);
      const found = await networks.waitFor(fits, { ...limit, ...(signal ? { signal } : {}) });
      if (found) return found;
      const present = networks.get({ namespace, name });
      throw new Error(`${name} did not reach the expected state: ${JSON.stringify(present?.status)}`);
    },
    /** With `keepCaches`, the caches keep running. */
    async stop({ keepCaches = false } = {}) {
      stopping.abort();
      await running;
      if (keepCaches) return;
      await Promise.all(caches.map((cache) => cache.stop()));
    },
  };
}
export type LayerZeroOperator = Awaited<ReturnType<typeof startLayerZeroOperator>>;

type Connections = { from: string; to: string }[];

/** Creates a LayerZero network with these members. Without `connections`, all pairs are connected both ways. */
export async function createMesh(
  kube: Kube,
  { user: { namespace } }: ChainScene,
  { name, members, connections }: { name: string; members: string[]; connections?: Connections },
): Promise<NetworkResource> {
  const networks = members.map((member) => ({ networkRef: { name: member } }));
  const layerzero = { networks, ...(connections ? { connections } : {}) };
  return kube.create(networkType, {
    apiVersion,
    kind: 'Network',
    metadata: { name, namespace },
    spec: { chain: { type: 'LayerZero', layerzero } },
  });
}

export const isOperational = ({ metadata, status }: NetworkResource): boolean =>
  status?.state === 'Operational' && status.observedGeneration === metadata.generation;

/** A member with its endpoint, from the status, without the block that it was verified on. */
export function endpointOn(network: NetworkResource, name: string) {
  const found = network.status?.layerzero?.members.find((one) => one.network === name);
  if (!found?.endpoint) throw new Error(`${name} has no endpoint`);
  const { anchor: _, endpoint, ...member } = found;
  return { ...member, endpoint };
}
