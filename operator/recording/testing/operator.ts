import type { NetworkStatus } from '../../../core/api/resources/networkStatus.ts';
import type { RecordingChunkResource } from '../../../core/api/resources/recordingChunk.ts';
import type { RecordedHead, RecordingResource } from '../../../core/api/resources/recordingResource.ts';
import { networkType, recordingChunkType } from '../../../core/api/resources/resources.ts';
import { aNetwork } from '../../../core/api/testing/builders.ts';
import { readInstance } from '../../../core/evm/instance.ts';
import { createEvmRpc } from '../../../core/evm/rpc.ts';
import { createReflector } from '../../../core/kube/cache/reflector.ts';
import { createEventRecorder } from '../../../core/kube/events/recorder.ts';
import type { Kube } from '../../../core/kube/kube.ts';
import { confined } from '../../../core/kube/testing/confined.ts';
import { type Clock, systemClock } from '../../../core/lib/clock.ts';
import { silentLog } from '../../../core/lib/log.ts';
import { openHeads } from '../../../core/networks/heads/openHeads.ts';
import { createSharedHeads } from '../../../core/networks/heads/sharedHeads.ts';
import { subscriptions } from '../../../core/networks/heads/subscriptions.ts';
import { readChunks, sharedChunkNameOf } from '../../../core/recordings/chunks.ts';
import { parseLine, type RecordedLine } from '../../../core/recordings/recordedLines.ts';
import { createRecordingCache } from '../caches.ts';
import { createWalletReader } from '../chain.ts';
import { createRecordingController } from '../controller.ts';
import { createReaders } from '../readers.ts';

const limit = { timeoutMs: 90_000 };

/** The recording controllers of an operator, without leader election; `urls` gives the engine of each network, by name. */
export async function startRecordingOperator(
  kube: Kube,
  options: { namespace: string; urls: ReadonlyMap<string, string>; clock?: Clock },
) {
  const { urls, namespace, clock = systemClock } = options;
  const common = { kube, clock: systemClock, log: silentLog };
  const caches = {
    recordings: createRecordingCache({ ...common, kube: confined(kube, namespace) }),
    networks: createReflector({ ...common, type: networkType, namespace }),
  };
  for (const cache of Object.values(caches)) cache.start();
  await Promise.all(Object.values(caches).map((cache) => cache.whenSynced()));
  const events = createEventRecorder({ kube, component: 'slipway-operator', log: silentLog });
  const readerOf = createReaders(
    (uid) => {
      const network = caches.networks.list().find(({ metadata }) => metadata.uid === uid);
      const url = network && urls.get(network.metadata.name);
      return url ? { url } : undefined;
    },
    String,
    clock,
  );
  const stopping = new AbortController();
  const heads = createSharedHeads({
    endpointOf(uid) {
      const network = caches.networks.list().find(({ metadata }) => metadata.uid === uid);
      const url = network && urls.get(network.metadata.name)?.replace(/^http/, 'ws');
      return url && subscriptions.evm ? { url, subscription: subscriptions.evm } : undefined;
    },
    onChange: (listener) => caches.networks.onChange(({ object }) => listener(object.metadata.uid)),
    open: openHeads,
    clock: systemClock,
  });
  const controller = createRecordingController(
    { ...common, clock, caches, events, readerOf, heads },
    { workers: 4 },
  );
  const running = controller.run(stopping.signal);
  return {
    caches,
    async reach(name: string, isFit: (recording: RecordingResource) => boolean): Promise<RecordingResource> {
      const fits = (one: RecordingResource) => one.metadata.name === name && isFit(one);
      const found = await caches.recordings.waitFor(fits, limit);
      if (found) return found;
      const present = caches.recordings.list().find(({ metadata }) => metadata.name === name);
      throw new Error(`${name} did not reach the expected state: ${JSON.stringify(present?.status)}`);
    },
    async stop() {
      stopping.abort();
      await running;
      heads.close();
      await Promise.all(Object.values(caches).map((cache) => cache.stop()));
    },
  };
}
export type RecordingOperator = Awaited<ReturnType<typeof startRecordingOperator>>;

/** The process at this URL as the operator publishes it. */
export async function publishedAt(
  url: string,
): Promise<{ instance: NonNullable<NetworkStatus['instance']> }> {
  const process = (await readInstance(createEvmRpc({ url }))) ?? '';
  return { instance: { pod: 'p-1', restarts: 0, process } };
}

/** Where the chain of a network is now, as the API server stores it when a recording starts or stops. */
export async function headOf(
  kube: Pick<Kube, 'get'>,
  ref: { name: string; namespace: string },
  url: string,
): Promise<RecordedHead> {
  const { metadata, status } = (await kube.get(networkType, ref)) ?? aNetwork(ref);
  const { enclaveID = '', chainID = '' } = status ?? {};
  const reader = createWalletReader(createEvmRpc({ url }), '');
  const { head: block } = await reader.look([]);
  const [hash = ''] = (await reader.look([block])).hashes;
  return { network: ref.name, networkID: metadata.uid ?? '', enclaveID, chainID, block, hash };
}

/** A network that the cluster reports as running. */
export async function createRunningNetwork(
  kube: Kube,
  ref: { name: string; namespace: string },
  status: Partial<NetworkStatus> = {},
): Promise<void> {
  const { uid: _, ...metadata } = aNetwork(ref).metadata;
  await kube.create(networkType, { ...aNetwork(ref), metadata });
  await setNetwork(kube, ref, { state: 'Operational', enclaveID: 'first', chainID: '1', ...status });
}

export async function setNetwork(
  kube: Kube,
  ref: { name: string; namespace: string },
  status: Partial<NetworkStatus>,
): Promise<void> {
  await kube.patch(networkType, ref, { status }, 'status');
}

async function chunksOf(
  kube: Pick<Kube, 'list'>,
  { metadata, spec }: RecordingResource,
  network = spec.networks[0],
): Promise<RecordingChunkResource[]> {
  const { items } = await kube.list(recordingChunkType, { namespace: metadata.namespace });
  return items
    .filter((chunk) => chunk.spec.recording === metadata.name && chunk.spec.network === network)
    .sort((a, b) => a.spec.index - b.spec.index);
}

/** What was captured on one network. */
export async function captured(
  kube: Pick<Kube, 'get' | 'list'>,
  recording: RecordingResource,
  network?: string,
): Promise<RecordedLine['transaction'][]> {
  const { namespace } = recording.metadata;
  const own = (await chunksOf(kube, recording, network)).map(({ spec }) => spec);
  const getShared = async (source: string, index: number) =>
    (await kube.get(recordingChunkType, { namespace, name: sharedChunkNameOf(source, index) }))?.spec;
  const lines: string[] = [];
  for await (const text of readChunks({ get: async (index) => own[index], getShared }, own.length)) {
    lines.push(...text);
  }
  return lines.map((line) => parseLine(line).transaction);
}
