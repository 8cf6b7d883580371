import { aNetwork, aRecording } from '../../core/api/testing/builders.ts';
import { asStored } from '../../core/api/testing/stored.ts';
import { createFakeKube } from '../../core/kube/testing/fake/fake.ts';
import { AppError } from '../../core/lib/errors.ts';
import { createManualClock } from '../../core/lib/manualClock.ts';
import { mib, type NewData } from '../../core/storage/budget.ts';
import { budgetedKube } from '../../core/storage/budgetedKube.ts';
import { isClosedToOperator } from '../../core/storage/kinds.ts';
import { createStorageLedger } from '../../core/storage/ledger.ts';
import { createCapture } from './capture.ts';
import { begunAt } from './captureState.ts';
import type { WalletReader } from './chain.ts';
import { lineIn } from './testing/lines.ts';

const hash = `0x${'1'.repeat(64)}`;
const instance = { pod: 'p', restarts: 0, process: '0x01' };
const status = { state: 'Operational' as const, enclaveID: 'one', chainID: '7', instance };
const network = asStored(aNetwork({ name: 'net', metadata: { uid: 'u' }, status }));
const recording = asStored(aRecording({ spec: { networks: ['net'], stopped: true } }));
const line = lineIn({ number: 9, hash }, 10);
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

it('a recording without room says so, and goes on where it was when there is some', async () => {
  let isFull = true;
  const ledger = {
    refusal: () => undefined,
    take: (data: NewData) => storage.take(isFull ? { ...data, bytes: 2 * mib } : data),
  };
  const storage = createStorageLedger({
    quota: { workspaceStoredMiB: 1, storedMiB: 16, workspaceCachedMiB: 256, cachedMiB: 1024 },
    records: { list: () => [], onChange: () => () => undefined },
  });
  const cluster = createFakeKube();
  const reader: WalletReader = {
    ...answering,
    read: async ({ number }, count) => ({ upTo: { number: number + count, hash }, lines: [line], bytes: 3 }),
  };
  const capture = createCapture(
    {
      kube: budgetedKube(cluster, { ledger, isRefused: isClosedToOperator }),
      clock: createManualClock(),
      readerOf: () => reader,
      onReorganised: () => undefined,
    },
    { ...begunAt({ network: 'net', networkID: 'u', enclaveID: 'one', chainID: '7', block: 5, hash }) },
  );
  const open = asStored(aRecording({ spec: { networks: ['net'] } }));
  const step = () => capture.step(open, network);
  await expect(step()).rejects.toMatchObject({ status: 429 });
  await expect(step()).rejects.toMatchObject({ status: 429 });
  expect(capture.progress()).toMatchObject({ lastBlock: 5, transactions: 0 });
  expect(capture.progress().message).toMatch(/budget of 1 MiB.*; recording goes on when there is room/);
  isFull = false;
  await step();
  expect(capture.progress()).toMatchObject({ lastBlock: 9, transactions: 1, state: 'recording' });
  expect(capture.progress().message).toBeUndefined();
});
