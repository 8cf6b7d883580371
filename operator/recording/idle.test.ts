import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { RecordingResource } from '../../core/api/resources/recordingResource.ts';
import { networkType, recordingType } from '../../core/api/resources/resources.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import { createReflector, type Reflector } from '../../core/kube/cache/reflector.ts';
import { createEventRecorder } from '../../core/kube/events/recorder.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import { createBlockFollowers } from '../runtime/blockFollowers.ts';
import { createRecordingCache } from './caches.ts';
import type { WalletReader } from './chain.ts';
import { createRecordingReconcile } from './reconcile.ts';

const hashOf = (block: number) => `0x${block.toString(16).padStart(64, '0')}`;
const owner = `0x${'1'.repeat(40)}`;

let head: number;
const reader: WalletReader = {
  look: async (numbers) => ({
    head,
    instance: '0x01',
    hashes: numbers.map((number) => (number <= head ? hashOf(number) : undefined)),
  }),
  async read({ number }, count) {
    const upTo = Math.min(head, number + count);
    return { upTo: { number: upTo, hash: hashOf(upTo) }, lines: [], bytes: 0 };
  },
  firstBlockSince: async () => 1,
};

let kube: FakeKube;
let networks: Reflector<NetworkResource>;
let recordings: Reflector<RecordingResource>;
let isSubscribed: boolean;
let notify: (() => void) | undefined;
let added: number[];
let capture: () => ReturnType<ReturnType<typeof createRecordingReconcile>['capture']>;

beforeEach(async () => {
  [head, isSubscribed, notify, added] = [5, true, undefined, []];
  kube = createFakeKube();
  const common = { kube, clock: systemClock, log: silentLog };
  networks = createReflector({ ...common, type: networkType });
  recordings = createRecordingCache(common);
  const network = await kube.create(networkType, aNetwork({ name: 'net', namespace: 'ws' }));
  await kube.patch(
    networkType,
    network.metadata,
    {
      status: { state: 'Operational', enclaveID: 'a', instance: { pod: 'p', restarts: 0, process: '0x01' } },
    },
    'status',
  );
  const recording = await kube.create(recordingType, {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Recording',
    metadata: { name: 'one', namespace: 'ws' },
    spec: { networks: ['net'], userAddress: owner },
  } as RecordingResource);
  for (const cache of [networks, recordings]) cache.start();
  await Promise.all([networks.whenSynced(), recordings.whenSynced()]);
  const heads = {
    isSubscribed: () => isSubscribed,
    follow(_uid: string, listener: () => void) {
      notify = listener;
      return () => {
        notify = undefined;
      };
    },
  };
  const followers = createBlockFollowers(heads, (_key, delayMs) => added.push(delayMs));
  const events = createEventRecorder({ kube, component: 'test', log: silentLog });
  const caches = { recordings, networks };
  const reconcile = createRecordingReconcile(
    { ...common, caches, events, heads, readerOf: () => reader },
    () => undefined,
    followers,
  );
  capture = () => reconcile.capture({ uid: recording.metadata.uid, network: 'net' });
});
afterEach(() => Promise.all([networks.stop(), recordings.stop()]));

/** Steps until there is nothing more to read at once. */
async function captureAll() {
  for (;;) {
    const result = await capture();
    if (result?.requeueAfterMs !== 0) return result;
  }
}

it('waits for the next block of a node that announces its blocks, and looks at it now and then', async () => {
  expect(await captureAll()).toEqual({ requeueAfterMs: 30_000 });
  expect(added).toEqual([]);
  head = 6;
  notify?.();
  expect(added).toEqual([250]);
  expect(await captureAll()).toEqual({ requeueAfterMs: 30_000 });
});

it('asks a node that does not announce its blocks each second', async () => {
  isSubscribed = false;
  expect(await captureAll()).toEqual({ requeueAfterMs: 1_000 });
});

it('does nothing for a network that does not run, until the network changes', async () => {
  await captureAll();
  await kube.patch(networkType, { namespace: 'ws', name: 'net' }, { status: { state: 'Stopped' } }, 'status');
  await networks.waitFor(({ status }) => status?.state === 'Stopped', { timeoutMs: 120_000 });
  expect(await capture()).toEqual({});
  expect(notify).toBeUndefined();
});
