import { aNetwork, aRecording } from '../../core/api/testing/builders.ts';
import { asStored } from '../../core/api/testing/stored.ts';
import { AppError } from '../../core/lib/errors.ts';
import { createManualClock } from '../../core/lib/manualClock.ts';
import { createCapture } from './capture.ts';
import type { WalletReader } from './chain.ts';

const hash = `0x${'1'.repeat(64)}`;
const instance = { pod: 'p', restarts: 0, process: '0x01' };
const status = { state: 'Operational' as const, enclaveID: 'one', chainID: '7', instance };
const network = asStored(aNetwork({ name: 'net', metadata: { uid: 'u' }, status }));
const recording = asStored(aRecording({ spec: { networks: ['net'], stopped: true } }));
const away = () => Promise.reject(new AppError('Unavailable', 'is away'));
const answering: WalletReader = {
  look: async (numbers) => ({ head: 9, instance: '0x01', hashes: numbers.map(() => hash) }),
  read: away,
  firstBlockSince: async () => 5,
};
const silent: WalletReader = { look: away, read: away, firstBlockSince: away };

const unwritable = { get: away, create: away, replace: away, delete: away, serverTimeMs: away };
const empty = { ...unwritable, get: async () => undefined, serverTimeMs: async () => 0 };

/** The states of a stopped recording that is tried again every ten seconds. */
async function statesOf(reader: WalletReader, kube: typeof unwritable | typeof empty): Promise<unknown[]> {
  const clock = createManualClock();
  const capture = createCapture(
    { kube, clock, readerOf: () => reader, onReorganised: () => undefined },
    { network: 'net' },
  );
  const states: unknown[] = [];
  for (let times = 0; times < 4; times += 1) {
    await capture.step(recording, network).catch(() => undefined);
    states.push(capture.progress().state);
    clock.advance(10_000);
  }
  return states;
}

it('a stopped recording does not give up a node that answers while the cluster cannot be written to', async () => {
  expect(await statesOf(answering, unwritable)).not.toContain('recorded');
});

it('a stopped recording gives up a node that does not answer', async () => {
  expect((await statesOf(silent, empty)).at(-1)).toBe('recorded');
});
