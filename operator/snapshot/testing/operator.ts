import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { NetworkStatus } from '../../../core/api/resources/networkStatus.ts';
import { networkType, snapshotType } from '../../../core/api/resources/resources.ts';
import type { SnapshotResource } from '../../../core/api/resources/snapshot.ts';
import type { SnapshotQuota } from '../../../core/api/rules/snapshotBudget.ts';
import { aNetwork, aSnapshot } from '../../../core/api/testing/builders.ts';
import type { EvmRpc } from '../../../core/evm/rpc.ts';
import { createReflector } from '../../../core/kube/cache/reflector.ts';
import type { Kube, Stored } from '../../../core/kube/kube.ts';
import { confined } from '../../../core/kube/testing/confined.ts';
import { type ConfigMap, configMapType } from '../../../core/kube/types.ts';
import { systemClock } from '../../../core/lib/clock.ts';
import { silentLog } from '../../../core/lib/log.ts';
import { partFileOf, partNamesOf } from '../../../core/networks/snapshotParts.ts';
import { createSnapshotCache } from '../caches.ts';
import { createSnapshotController } from '../controller.ts';

const limit = { timeoutMs: 60_000 };

/** What an engine answers: a state of about this many bytes, which gzip cannot shrink much. */
export function aDump(bytes: number, block = 7): Buffer {
  const noise = randomBytes(Math.ceil((bytes * 3) / 4)).toString('base64');
  const text = `{"block":{"number":"0x${block.toString(16)}"},"noise":"${noise}","historical_states":null}`;
  return gzipSync(text, { level: 0 });
}

interface Options {
  kube: Kube;
  namespace: string;
  /** The dump of each network's engine, by the network's uid; undefined: no engine is ready. */
  dumpOf(networkUid: string): Promise<Buffer | undefined> | Buffer | undefined;
  quota?: Partial<SnapshotQuota>;
}

/** The snapshot controller of an operator, without leader election. */
export async function startSnapshotOperator({ namespace, dumpOf, quota, ...options }: Options) {
  const kube = confined(options.kube, namespace);
  const common = { kube, clock: systemClock, log: silentLog };
  const caches = {
    snapshots: createSnapshotCache(common),
    networks: createReflector({ ...common, type: networkType, namespace }),
  };
  for (const cache of Object.values(caches)) cache.start();
  await Promise.all(Object.values(caches).map((cache) => cache.whenSynced()));
  const rpcOf = (uid: string): EvmRpc => ({
    async call() {
      const dump = await dumpOf(uid);
      return `0x${dump?.toString('hex')}`;
    },
    batch: async () => [],
  });
  const stopping = new AbortController();
  const controller = createSnapshotController(
    {
      ...common,
      caches,
      rpcOf,
      quota: { snapshots: 50, snapshotMiB: 8, workspaceSnapshotsMiB: 64, ...quota },
      storage: { refusal: () => undefined },
    },
    { workers: 2 },
  );
  const running = controller.run(stopping.signal);
  return {
    caches,
    async reach(
      name: string,
      isFit: (snapshot: SnapshotResource) => boolean,
    ): Promise<Stored<SnapshotResource>> {
      const found = await caches.snapshots.waitFor((one) => one.metadata.name === name && isFit(one), limit);
      if (found) return found;
      const present = caches.snapshots.get({ namespace, name });
      throw new Error(`${name} did not reach the expected state: ${JSON.stringify(present?.status)}`);
    },
    async stop() {
      stopping.abort();
      await running;
      await Promise.all(Object.values(caches).map((cache) => cache.stop()));
    },
  };
}

export const isIn =
  (state: string) =>
  ({ status }: SnapshotResource): boolean =>
    status?.state === state;

/** Creates a network that the cluster reports in this status. */
export async function createNetwork(
  kube: Kube,
  ref: { name: string; namespace: string },
  status: Partial<NetworkStatus> = {},
  spec: Partial<NetworkResource['spec']> = {},
): Promise<Stored<NetworkResource>> {
  const { uid: _, ...metadata } = aNetwork(ref).metadata;
  const network = await kube.create(networkType, { ...aNetwork({ ...ref, spec }), metadata });
  const full = { state: 'Operational', enclaveID: 'first', chainID: '1', ...status };
  await kube.patch(networkType, ref, { status: full }, 'status');
  return network;
}

export async function createSnapshot(
  kube: Kube,
  ref: { name: string; namespace: string },
  network: string,
): Promise<Stored<SnapshotResource>> {
  const { uid: _, creationTimestamp: __, ...metadata } = aSnapshot(ref).metadata;
  return kube.create(snapshotType, { ...aSnapshot({ ...ref, spec: { network } }), metadata });
}

/** The stored bytes of a snapshot that says that it is Ready. Throws if a part is missing. */
export async function storedBytes(
  kube: Kube,
  { metadata: { namespace, uid }, status }: Stored<SnapshotResource>,
): Promise<Buffer> {
  const names = partNamesOf({ id: uid, digest: status?.digest ?? '', parts: status?.parts ?? 0 });
  const parts = await Promise.all(names.map((name) => kube.get(configMapType, { namespace, name })));
  return Buffer.concat(
    parts.map((part, index) => {
      const data = part?.binaryData?.[partFileOf(index)];
      if (data === undefined) throw new Error(`${names[index]} is missing`);
      return Buffer.from(data, 'base64');
    }),
  );
}

/** All objects that belong to a snapshot. */
export async function partsOf(
  kube: Kube,
  { metadata: { namespace, uid } }: Stored<SnapshotResource>,
): Promise<Stored<ConfigMap>[]> {
  const { items } = await kube.list(configMapType, {
    namespace,
    labelSelector: `slipway.dev/snapshot=${uid}`,
  });
  return items;
}
