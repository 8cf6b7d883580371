import type { EvmRpc, RpcCall, RpcOutcome } from '../evm/rpc.ts';
import { createFakeKube, type FakeKube } from '../kube/testing/fake/fake.ts';
import { systemClock } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import { silentLog } from '../lib/log.ts';
import { createSend, type Send } from './send.ts';
import { address, entriesOf, queue, queuesOver, settle } from './testing/senderQueues.ts';

const block = { hash: `0x${'0a'.repeat(32)}`, gasLimit: '0x1c9c380', baseFeePerGas: '0x1' };
const answers: Record<string, unknown> = {
  eth_chainId: '0x47868c01',
  eth_getBlockByNumber: block,
  eth_getTransactionCount: '0x0',
  eth_getBalance: '0xde0b6b3a7640000',
  eth_gasPrice: '0x1',
  eth_maxPriorityFeePerGas: '0x1',
  eth_estimateGas: '0x5208',
};

/** A node that accepts what it is sent, unless it is away. */
function createNode() {
  const node = { isAway: false, asked: [] as string[] };
  const away = new AppError('Unavailable', 'the node is away');
  const answerOf = ({ method }: RpcCall): RpcOutcome => {
    if (node.isAway) return { error: away };
    return { result: answers[method] ?? null };
  };
  const rpc: EvmRpc = {
    call: () => Promise.reject(away),
    async batch(calls) {
      node.asked.push(...new Set(calls.map(({ method }) => method)));
      return calls.map(answerOf);
    },
  };
  return Object.assign(node, { rpc });
}

let kube: FakeKube;
let node: ReturnType<typeof createNode>;
beforeEach(() => {
  kube = createFakeKube();
  node = createNode();
});

const published = { pod: 'p-1' };
/** A process of its own. */
const newProcess = () => createSend({ queues: queuesOver(kube), clock: systemClock, log: silentLog });
const sendBy = (
  send: Send,
  more: { idempotencyKey?: string; digest?: string; value?: string; confirmed?: Promise<void> } = {},
) => {
  const { value = '1', ...about } = more;
  const items = [{ from: address, to: address, value, data: '0x' }];
  const to = { queue, rpc: node.rpc, chainId: '1200000001', published, isCurrent: () => true };
  return send({ ...to, key: Buffer.alloc(32, 0x5e), items, ...about });
};
const verbs = () => kube.requests.map(({ verb }) => verb);

describe('an idempotency key', () => {
  const idempotencyKey = 'pay';

  test('that is new costs no look-up of its own', async () => {
    const send = newProcess();
    await sendBy(send);
    kube.requests.length = 0;
    await sendBy(send, { idempotencyKey });
    expect(verbs()).toEqual(['replace']);
  });

  test.each([
    ['the node is away', { isAway: true }, {}],
    ['the account could no longer pay for it', {}, { value: `1${'0'.repeat(30)}` }],
  ])('that was used is answered although %s', async (_reason, change, more) => {
    const { hashes } = await sendBy(newProcess(), { idempotencyKey });
    Object.assign(node, change);
    expect((await sendBy(newProcess(), { idempotencyKey, ...more })).hashes).toEqual(hashes);
    await settle(kube);
    expect((await sendBy(newProcess(), { idempotencyKey, ...more })).hashes).toEqual(hashes);
  });

  test('that was used for something else is a conflict, also while the node is away', async () => {
    await sendBy(newProcess(), { idempotencyKey, digest: 'a1'.repeat(32) });
    const other = { idempotencyKey, digest: 'b2'.repeat(32) };
    await expect(sendBy(newProcess(), other)).rejects.toMatchObject({ reason: 'Conflict' });
    node.isAway = true;
    await expect(sendBy(newProcess(), other)).rejects.toMatchObject({ reason: 'Conflict' });
  });

  test('that another process used in between is submitted once', async () => {
    const [one, other] = [newProcess(), newProcess()];
    await sendBy(one);
    await sendBy(other);
    const accepted = await Promise.all([one, other].map((send) => sendBy(send, { idempotencyKey })));
    expect(new Set(accepted.flatMap(({ hashes }) => hashes)).size).toBe(1);
    expect(await entriesOf(kube)).toHaveLength(3);
  });

  test('that is new fails for the reason of its submission', async () => {
    node.isAway = true;
    await expect(sendBy(newProcess(), { idempotencyKey })).rejects.toMatchObject({
      message: 'the node is away',
    });
  });
});

test('gas is estimated while the state of the chain is read', async () => {
  const { rpc } = node;
  const asked: string[] = [];
  const both = Promise.withResolvers<void>();
  const waiting: EvmRpc = {
    ...rpc,
    async batch(calls) {
      asked.push(calls[0]?.method ?? '');
      if (asked.includes('eth_estimateGas') && asked.includes('eth_chainId')) both.resolve();
      await both.promise;
      return rpc.batch(calls);
    },
  };
  node.rpc = waiting;
  expect((await sendBy(newProcess())).hashes).toHaveLength(1);
});

describe('a caller who is not confirmed yet', () => {
  test('has nothing written, while the node is asked', async () => {
    const { promise: confirmed, resolve: confirm } = Promise.withResolvers<void>();
    const sent = sendBy(newProcess(), { confirmed });
    while (node.asked.length === 0) await new Promise(setImmediate);
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    expect(verbs()).toEqual([]);
    confirm();
    expect((await sent).hashes).toHaveLength(1);
  });

  test('is not answered what was accepted before, if refused', async () => {
    await sendBy(newProcess(), { idempotencyKey: 'pay' });
    node.isAway = true;
    const confirmed = Promise.reject(new AppError('Unauthorized', 'the key was revoked'));
    const again = sendBy(newProcess(), { idempotencyKey: 'pay', confirmed });
    await expect(again).rejects.toMatchObject({ reason: 'Unauthorized' });
  });
});
