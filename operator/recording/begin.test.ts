import type { RecordedProgress } from '../../core/api/resources/recordingResource.ts';
import { aNetwork, aRecording } from '../../core/api/testing/builders.ts';
import { asStored } from '../../core/api/testing/stored.ts';
import { createManualClock } from '../../core/lib/manualClock.ts';
import { begin } from './begin.ts';
import { newCaptureState } from './captureState.ts';
import type { WalletReader } from './chain.ts';

const createdAt = '2026-01-15T09:30:00Z';
const createdMs = Date.parse(createdAt);
const hashOf = (block: number) => `0x${block.toString(16).padStart(64, '0')}`;
const instance = { pod: 'p', restarts: 0, process: '0x01' };
const status = { state: 'Operational' as const, enclaveID: 'one', chainID: '7', instance };

/** A chain at block 9 whose first block that is not older than the recording is 5. */
const reader: WalletReader = {
  look: async (numbers) => ({ head: 9, instance: '0x01', hashes: numbers.map(hashOf) }),
  read: () => Promise.reject(new Error('nothing is read')),
  async firstBlockSince(seconds) {
    expect(seconds).toBe(createdMs / 1000);
    return 5;
  },
};

it.each<[string, number, RecordedProgress, number]>([
  ['the next block, when it is seen at once', 900, { network: 'net' }, 10],
  ['its first block by time, when it is seen late', 2_000, { network: 'net' }, 5],
  ['its first block by time, when the network did not run', 900, { network: 'net', state: 'waiting' }, 5],
])(
  'a recording that does not say where its chain was begins with %s',
  async (_reason, ms, progress, first) => {
    const state = newCaptureState(progress);
    await begin(state, {
      kube: { serverTimeMs: async () => createdMs + ms },
      clock: createManualClock(),
      reader,
      recording: asStored(aRecording({ metadata: { creationTimestamp: createdAt } })),
      network: asStored(aNetwork({ name: 'net', metadata: { uid: 'u' }, status })),
    });
    expect(state.progress).toMatchObject({
      network: 'net',
      networkID: 'u',
      enclaveID: 'one',
      state: 'recording',
      firstBlock: first,
      lastBlock: first - 1,
      baseHash: hashOf(first - 1),
    });
  },
);
