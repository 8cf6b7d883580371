import { apiVersion, labels } from '../../../core/api/names.ts';
import type { RecordingChunkSpec } from '../../../core/api/resources/recordingChunk.ts';
import type { RecordingStatus } from '../../../core/api/resources/recordingResource.ts';
import { networkType, recordingChunkType, recordingType } from '../../../core/api/resources/resources.ts';
import type { RecordedTransaction } from '../../../core/api/rest/replay.ts';
import { aNetwork, aRecording, testAddress } from '../../../core/api/testing/builders.ts';
import { createReflector } from '../../../core/kube/cache/reflector.ts';
import { createFakeKube, type FakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { systemClock } from '../../../core/lib/clock.ts';
import { compact } from '../../../core/lib/compact.ts';
import { packLines } from '../../../core/lib/json/packedLines.ts';
import { silentLog } from '../../../core/lib/log.ts';
import { chunkNameOf } from '../../../core/recordings/chunks.ts';
import { formatLine } from '../../../core/recordings/recordedLines.ts';
import { startTestApi, type TestApi } from '../../testing/harness.ts';

const users = [
  { userId: 'ann', workspaceId: 'one', namespace: 'ws-one' },
  { userId: 'ben', workspaceId: 'two', namespace: 'ws-two' },
  { userId: 'vic', workspaceId: 'one', namespace: 'ws-one', role: 'viewer' },
] as const;
export const base = '/transaction/v1alpha1/transaction/recording';
export const namespace = 'ws-one';
export const unknownId = '00000000-0000-4000-8000-000000000000';
const hashOf = (digit: string) => `0x${digit.repeat(64)}`;
const wallet = testAddress.toLowerCase();

export let kube: FakeKube;
export let api: TestApi;

/** Serves recordings on an empty cluster in each test. */
export function useRecordingsApi(): void {
  let stopOperator: () => Promise<void>;
  beforeEach(async () => {
    kube = createFakeKube();
    api = await startTestApi({ kube, users });
    stopOperator = startOperator();
  });
  afterEach(async () => {
    await stopOperator();
    await api.close();
  });
}

/** Stands in for the operator: reports in the status what is recorded, and completes stopped recordings. */
function startOperator(): () => Promise<void> {
  const reflector = createReflector({ kube, type: recordingType, log: silentLog, clock: systemClock });
  reflector.onChange(({ type, object: { metadata, spec, status } }) => {
    if (type !== 'set' || status?.state === (spec.stopped ? 'recorded' : 'recording')) return;
    void kube.patch(recordingType, metadata, { status: statusOf(spec) }, 'status');
  });
  reflector.start();
  return reflector.stop;
}

export function statusOf({
  networks,
  stopped,
  chunksOf = {},
}: {
  networks: string[];
  stopped?: boolean | undefined;
  chunksOf?: Record<string, number>;
}): RecordingStatus {
  const state = stopped ? 'recorded' : 'recording';
  return {
    state,
    message: stopped ? 'every network was recorded' : 'recording',
    startedAt: '2026-01-15T09:30:00Z',
    ...(stopped ? { endedAt: '2026-01-15T10:30:00Z' } : {}),
    networks: networks.map((network) => ({
      network,
      networkID: `uid-${namespace}-${network}`,
      chainID: '31337',
      state,
      firstBlock: 1,
      lastBlock: 4,
      transactions: 2 * (chunksOf[network] ?? 1),
      chunks: chunksOf[network] ?? 1,
    })),
  };
}

export const seedNetwork = (name: string, inNamespace: string = namespace) =>
  kube.seed(networkType, aNetwork({ name, namespace: inNamespace })).metadata.uid;
export const start = async (networkIds: string[], more: object = {}) =>
  api.request(`${base}/start`, { body: { userAddress: testAddress, networkIds }, ...more });
export const stop = (recordingId: string, as = 'ann') =>
  api.request(`${base}/stop`, { body: { recordingId }, as });

export function aTransaction(nonce: number): RecordedTransaction {
  return {
    hash: hashOf(String(nonce % 10)),
    from: wallet,
    to: wallet,
    value: '1',
    data: '0x',
    nonce,
    gas_limit: 21_000,
    gas_used: 21_000,
    block: nonce + 1,
    timestamp: '2026-01-15T09:30:00Z',
    status: 'success' as const,
  };
}

export async function seedChunk(
  recording: { name: string; uid: string; id?: string },
  network: string,
  nonces: number[],
  data = '',
) {
  const lines = nonces.map((nonce) => {
    const transaction = { ...aTransaction(nonce), data: `0x${data}` };
    return formatLine({ block_hash: hashOf('b'), transaction });
  });
  const spec: RecordingChunkSpec = {
    recording: recording.name,
    network,
    networkID: `uid-${namespace}-${network}`,
    index: (nonces[0] ?? 0) / 2,
    lastBlock: 3,
    lastHash: hashOf('b'),
    total: (nonces.at(-1) ?? -1) + 1,
    data: await packLines(lines),
  };
  const metadata = {
    name: chunkNameOf(recording.id ?? recording.uid, network, spec.index),
    namespace,
    labels: { [labels.recording]: recording.uid },
    ownerReferences: [{ apiVersion, kind: 'Recording', name: recording.name, uid: recording.uid }],
  };
  kube.seed(recordingChunkType, { apiVersion, kind: 'RecordingChunk', metadata, spec });
}

export async function seedRecording(name: string, networks: string[], status?: RecordingStatus) {
  const { uid: _, ...metadata } = aRecording({ name, namespace }).metadata;
  const stopped = status?.state === 'recorded' ? { stopped: true } : {};
  const recording = aRecording({ name, namespace, metadata, spec: { networks, ...stopped } });
  const seeded = kube.seed(recordingType, { ...recording, ...compact({ status }) });
  return { name, uid: seeded.metadata.uid };
}
