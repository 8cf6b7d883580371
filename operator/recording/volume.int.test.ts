import { randomBytes } from 'node:crypto';
import { recordingChunkType, recordingType } from '../../core/api/resources/resources.ts';
import { aRecording } from '../../core/api/testing/builders.ts';
import { evmDrivers } from '../../core/chains/evm/drivers.ts';
import { startTestChain, type TestChain } from '../../core/chains/evm/testing/testChain.ts';
import { createEvmRpc } from '../../core/evm/rpc.ts';
import { namespaceType } from '../../core/kube/types.ts';
import { collectGarbage } from '../../core/lib/testing/garbage.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import {
  captured,
  createRunningNetwork,
  publishedAt,
  type RecordingOperator,
  startRecordingOperator,
} from './testing/operator.ts';

const count = 20_000;
/** To find a receipt, a node searches its whole block: with larger blocks, the test would measure that. */
const perBlock = 100;
const kube = createTestKube();
const namespace = `volume-${randomBytes(4).toString('hex')}`;
const wallet = `0x${'a1'.repeat(20)}`;
const urls = new Map<string, string>();
let chain: TestChain;
let operator: RecordingOperator;

beforeAll(async () => {
  await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  chain = await startTestChain({ type: 'Ethereum', driver: evmDrivers.Ethereum });
  urls.set('net', chain.url);
  await createRunningNetwork(kube, { name: 'net', namespace }, await publishedAt(chain.url));
  await chain.provider.send('anvil_impersonateAccount', [wallet]);
  await chain.provider.send('anvil_setBalance', [wallet, `0x${(10n ** 24n).toString(16)}`]);
  await chain.provider.send('evm_setAutomine', [false]);
  operator = await startRecordingOperator(kube, { namespace, urls });
});
afterAll(async () => {
  await operator.stop();
  await chain.stop();
  await kube.close();
});

/** Transfers with incompressible data, in blocks of a hundred. */
async function send(from: number, to: number): Promise<void> {
  const rpc = createEvmRpc({ url: chain.url });
  for (let first = from; first < to; first += perBlock) {
    const calls = Array.from({ length: perBlock }, (_, index) => ({
      method: 'eth_sendTransaction',
      params: [
        {
          from: wallet,
          to: wallet,
          value: '0x1',
          nonce: `0x${(first + index).toString(16)}`,
          gas: '0x6400',
          data: `0x${randomBytes(64).toString('hex')}`,
        },
      ],
    }));
    const outcomes = await rpc.batch(calls);
    expect(outcomes.filter((outcome) => 'error' in outcome)).toEqual([]);
    await rpc.call('evm_mine', []);
  }
}

/** The heap in use once this many transactions are captured. */
async function heapAt(transactions: number): Promise<number> {
  await operator.reach('much', ({ status }) => status?.transactions === transactions);
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

it('20,000 transactions are stored in objects below 512 kB, and use no more memory than half of them', async () => {
  const recording = aRecording({ name: 'much', namespace, spec: { userAddress: wallet, networks: ['net'] } });
  const { uid: _, creationTimestamp: __, ...metadata } = recording.metadata;
  await kube.create(recordingType, { ...recording, metadata });
  await operator.reach('much', ({ status }) => status?.networks?.[0]?.state === 'recording');
  await send(0, count / 2);
  const half = await heapAt(count / 2);
  await send(count / 2, count);
  const whole = await heapAt(count);
  await kube.patch(recordingType, { namespace, name: 'much' }, { spec: { stopped: true } });
  const recorded = await operator.reach('much', ({ status }) => status?.state === 'recorded');
  const chunks = (await kube.list(recordingChunkType, { namespace })).items;
  const sizes = chunks.map((chunk) => Buffer.byteLength(JSON.stringify(chunk)));
  expect(Math.max(...sizes)).toBeLessThan(512_000);
  expect(chunks.length).toBeGreaterThan(5);
  const nonces = (await captured(kube, recorded)).map(({ nonce }) => nonce);
  expect(nonces).toEqual(Array.from({ length: count }, (_, index) => index));
  // What is captured is some 15 MB as text: held in memory, it would show.
  expect(whole / half).toBeLessThan(1.2);
});
