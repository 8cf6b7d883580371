import { networkType, outboxType } from '../../core/api/resources/resources.ts';
import { readInstance } from '../../core/evm/instance.ts';
import { awaitReceipts } from '../../core/evm/receipts.ts';
import { batchesOf } from '../../core/outbox/batches.ts';
import { createSend } from '../../core/outbox/send.ts';
import { createSenderQueues } from '../../core/outbox/senderQueues.ts';
import {
  accept,
  archived,
  clock,
  countOf,
  deps,
  headOf,
  isEmpty,
  key,
  kube,
  lookUntil,
  network,
  queueOf,
  rpcOf,
  runAgain,
  scene,
  settled,
  startOperator,
  transfer,
  useQueueScene,
} from './testing/queueScene.ts';

useQueueScene();

/** Always the same, so that the same transaction has the same hash. */
const fees = { max_fee_per_gas: '5000000000', max_priority_fee_per_gas: '1000000000' };

/** An API server that follows what it accepts. */
function newReplica() {
  const { signer } = deps;
  const send = createSend({
    queues: createSenderQueues({ kube, signer, clock: deps.clock }),
    clock: deps.clock,
    log: deps.log,
  });
  return async (value: number, idempotencyKey?: string) => {
    const { status } = network.resource;
    const { hashes, taken } = await send({
      queue: queueOf(network),
      rpc: rpcOf(network),
      key,
      isCurrent: () => true,
      chainId: status?.chainID ?? '',
      published: status?.instance,
      items: [
        { from: scene.wallet.address, to: transfer().to ?? '', value: String(value), data: '0x', ...fees },
      ],
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    });
    await taken;
    return hashes[0] ?? '';
  };
}

const call = (method: string, ...params: unknown[]) => rpcOf(network).call(method, params);
/** A node answers before it has mined. */
async function isMined(hash: string): Promise<void> {
  const [receipt] = await awaitReceipts(rpcOf(network), [hash], { timeoutMs: 10_000, pollMs: 5 });
  expect(receipt).toBeDefined();
}
const received = async () => BigInt(String(await call('eth_getBalance', transfer().to, 'latest')));

async function looks(count: number): Promise<void> {
  for (let look = 0; look < count; look++) await lookUntil(() => true);
}

describe('what its process acknowledged and no longer has', () => {
  test('was undone: it is dropped, and never sent again', async () => {
    const snapshot = await call('evm_snapshot');
    const hash = await newReplica()(7);
    await isMined(hash);
    expect(await received()).toBe(7n);
    await call('evm_revert', snapshot);
    await lookUntil(isEmpty);
    expect(await archived()).toMatchObject({
      [hash]: { state: 'dropped', reason: expect.stringContaining('never sent again') },
    });
    expect([await countOf(), await received()]).toEqual([0, 0n]);
  });

  test('gives its nonce to the next submission at once, which is mined', async () => {
    const submit = newReplica();
    const hashes: string[] = [];
    for (let round = 0; round < 5; round++) {
      const snapshot = await call('evm_snapshot');
      const hash = await submit(7);
      await isMined(hash);
      hashes.push(hash);
      await call('evm_revert', snapshot);
    }
    const last = await submit(1);
    await isMined(last);
    expect([await countOf(), await received()]).toEqual([1, 1n]);
    await lookUntil(isEmpty);
    const results = await archived();
    expect(results[last]).toMatchObject({ state: 'mined' });
    expect(hashes.map((hash) => results[hash]?.state)).toEqual(hashes.map(() => 'dropped'));
    expect([await countOf(), await received()]).toEqual([1, 1n]);
  });

  test('is mined when the same transaction is submitted again', async () => {
    const submit = newReplica();
    const hashes: string[] = [];
    for (let round = 0; round < 3; round++) {
      const snapshot = await call('evm_snapshot');
      hashes.push(await submit(7));
      await isMined(hashes[0] ?? '');
      if (round < 2) await call('evm_revert', snapshot);
    }
    expect(new Set(hashes).size).toBe(1);
    await lookUntil(isEmpty);
    expect(settled.map(({ state }) => state)).toEqual(['mined', 'mined', 'mined']);
    expect([await countOf(), await received()]).toEqual([1, 7n]);
  });

  test('gives it also to a submission over another replica, once its sender has had its time', async () => {
    const snapshot = await call('evm_snapshot');
    const hash = await newReplica()(7);
    await isMined(hash);
    await call('evm_revert', snapshot);
    clock.advance(5000);
    const last = await newReplica()(1);
    await isMined(last);
    expect([await countOf(), await received()]).toEqual([1, 1n]);
    await lookUntil(isEmpty);
    expect(await archived()).toMatchObject({ [hash]: { state: 'dropped' }, [last]: { state: 'mined' } });
  });

  test('also after another operator has taken over', async () => {
    const snapshot = await call('evm_snapshot');
    const hash = await newReplica()(7);
    await isMined(hash);
    await call('evm_revert', snapshot);
    await startOperator();
    await lookUntil(isEmpty);
    expect(await archived()).toMatchObject({ [hash]: { state: 'dropped' } });
    expect(await received()).toBe(0n);
  });

  test('also if its engine is restarted before anybody has looked', async () => {
    const snapshot = await call('evm_snapshot');
    const hash = await newReplica()(7);
    await isMined(hash);
    await call('evm_revert', snapshot);
    await runAgain('restart');
    await lookUntil(isEmpty);
    expect(await archived()).toMatchObject({
      [hash]: { state: 'dropped', reason: expect.stringContaining('never sent again') },
    });
    expect([await countOf(), await received()]).toEqual([0, 0n]);
  });

  test('costs a revert no write', async () => {
    const submit = newReplica();
    const snapshot = await call('evm_snapshot');
    await isMined(await submit(7));
    const before = await headOf();
    await call('evm_revert', snapshot);
    expect((await headOf()).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  });

  test('is nothing that waits in the pool', async () => {
    await call('evm_setAutomine', false);
    const hash = await newReplica()(7);
    await looks(8);
    expect(await archived()).toEqual({});
    await call('evm_mine');
    await lookUntil(isEmpty);
    expect(await archived()).toMatchObject({ [hash]: { state: 'mined' } });
  });
});

test('who died before its answer had promised nothing: it is not sent', async () => {
  const [hash = ''] = await accept([transfer()], network, { isQueued: false });
  await lookUntil(isEmpty);
  expect(await archived()).toMatchObject({ [hash]: { state: 'dropped' } });
  expect(await countOf()).toBe(0);
});

test('what was accepted by an earlier version, which stored no process, is sent', async () => {
  const [hash = ''] = await accept([transfer()]);
  const { metadata, spec, ...rest } = await headOf();
  const { marks: _, ...former } = spec;
  await kube.replace(outboxType, { ...rest, metadata, spec: former });
  await lookUntil(isEmpty);
  expect(await archived()).toMatchObject({ [hash]: { state: 'mined' } });
});

describe('another process of the same chain', () => {
  async function publish(process: string | undefined): Promise<void> {
    const instance = { pod: 'p-2', restarts: 0, process: process ?? null };
    await kube.patch(networkType, network.resource.metadata, { status: { instance } }, 'status');
    await deps.caches.networks.waitFor(({ status }) => status?.instance?.pod === 'p-2', { timeoutMs: 5000 });
  }

  test('gets what it lacks of what is open, once it is published', async () => {
    // What was accepted for a process that is gone.
    const own = await readInstance(rpcOf(network));
    const node = { pendingCount: 0, countNonces: async () => 0, areKnown: async () => [false] };
    const [hash = ''] = await accept([transfer()], network, {
      isQueued: false,
      node: { ...node, instance: '0xdead' },
    });
    await publish('0xbeef');
    await looks(6);
    expect(batchesOf(await headOf())).toHaveLength(1);
    expect(await countOf()).toBe(0);
    await kube.patch(
      networkType,
      network.resource.metadata,
      { status: { instance: { process: own } } },
      'status',
    );
    await deps.caches.networks.waitFor(({ status }) => status?.instance?.process === own, {
      timeoutMs: 5000,
    });
    await lookUntil(isEmpty);
    expect(await archived()).toMatchObject({ [hash]: { state: 'mined' } });
  });

  test('takes nothing before it is published', async () => {
    network.resource.status = {
      ...network.resource.status,
      instance: { pod: 'p-1', restarts: 0, process: '0xdead' },
    };
    await expect(newReplica()(1)).rejects.toMatchObject({ reason: 'Unavailable' });
    expect(await countOf()).toBe(0);
  });
});
