import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EvmRpc } from '../evm/rpc.ts';
import { AppError } from '../lib/errors.ts';
import { createManualClock, type ManualClock } from '../lib/manualClock.ts';
import { createSendThrottle, type SendThrottle } from './throttle.ts';

const ann = `0x${'51'.repeat(20)}`;
const ben = `0x${'52'.repeat(20)}`;
const refusal = (message: string) =>
  new AppError('BadRequest', message, { cause: { code: -32000, message } });

/** A node that mines on request. */
function createNode() {
  /** Nonces used, by account. */
  const mined = new Map<string, number>();
  /** Including pending transactions; the same as `mined` when absent. */
  const pending = new Map<string, number>();
  /** The transactions it was sent, request by request. */
  const parts: string[][] = [];
  const removed: string[] = [];
  const node = {
    mined,
    pending,
    parts,
    removed,
    isAnvil: true,
    refused: '',
    instance: '0x01',
    gate: Promise.resolve(),
  };
  const rpc: EvmRpc = {
    async batch(calls) {
      const raws = calls.flatMap(({ method, params: [raw] }) =>
        method === 'eth_sendRawTransaction' ? [String(raw)] : [],
      );
      if (raws.length > 0) parts.push(raws);
      await node.gate;
      removed.push(
        ...calls.flatMap(({ method, params: [account] }) =>
          method === 'anvil_removePoolTransactions' ? [String(account)] : [],
        ),
      );
      return calls.map(({ method, params: [first, block] }) => {
        if (method === 'anvil_metadata') return { result: { instanceId: node.instance } };
        if (method === 'txpool_content') return { result: { pending: {}, queued: {} } };
        if (first === node.refused) return { error: refusal('gas price too low') };
        const count = (block === 'pending' ? pending : mined).get(String(first)) ?? mined.get(String(first));
        return { result: `0x${(count ?? 0).toString(16)}` };
      });
    },
    async call() {
      if (!node.isAnvil) throw refusal('the method does not exist');
      return { pending: {}, queued: {} };
    },
  };
  return Object.assign(node, { rpc });
}

let clock: ManualClock;
let node: ReturnType<typeof createNode>;
let throttle: SendThrottle;
let isCurrent: boolean;
let mayBegin: boolean;
beforeEach(() => {
  isCurrent = true;
  mayBegin = true;
  clock = createManualClock();
  node = createNode();
  throttle = createSendThrottle(clock);
});

/** Transactions of which three fit into a block; their bytes are their names. */
const send = (
  signer: string,
  first: number,
  count: number,
  { workspace = 'w', chain = 'one', gas = 10n, length = 0 } = {},
) =>
  throttle({
    workspace,
    chain,
    signer,
    rpc: node.rpc,
    instance: '0x01',
    isCurrent: () => isCurrent,
    mayBegin: () => mayBegin,
    blockGasLimit: 30n,
    transactions: Array.from({ length: count }, (_, index) => ({
      nonce: first + index,
      hash: '',
      raw: `${signer === ann ? 'a' : 'b'}${first + index}`.padEnd(length),
      gasLimit: gas,
      maxFee: 1n,
    })),
  });

/** Lets time pass in small steps. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed <= ms; passed += 4) {
    await nextTurn();
    clock.advance(4);
  }
  await nextTurn();
}

test('no more is sent than a block holds, until all of that is mined', async () => {
  const sent = send(ann, 0, 7);
  await pass(100);
  expect(node.parts).toEqual([['a0', 'a1', 'a2']]);
  node.mined.set(ann, 2);
  await pass(600);
  expect(node.parts).toHaveLength(1);
  node.mined.set(ann, 3);
  await pass(600);
  node.mined.set(ann, 6);
  await pass(600);
  expect(node.parts).toEqual([['a0', 'a1', 'a2'], ['a3', 'a4', 'a5'], ['a6']]);
  expect(await sent).toEqual(Array.from({ length: 7 }, () => ({ kind: 'sent' })));
});

test('what waits is not sent once its network runs another incarnation, which may have kept the chain', async () => {
  const sent = send(ann, 0, 5);
  await pass(100);
  isCurrent = false;
  node.mined.set(ann, 3);
  await pass(600);
  expect(node.parts).toEqual([['a0', 'a1', 'a2']]);
  expect((await sent).map(({ kind }) => kind)).toEqual(['sent', 'sent', 'sent', 'unreached', 'unreached']);
  await send(ann, 5, 1);
  expect(node.parts).toHaveLength(1);
});

test('what waited for too long is not sent any more', async () => {
  const sent = send(ann, 0, 5);
  await pass(100);
  mayBegin = false;
  node.mined.set(ann, 3);
  await pass(600);
  expect(node.parts).toEqual([['a0', 'a1', 'a2']]);
  expect((await sent).map(({ kind }) => kind)).toEqual(['sent', 'sent', 'sent', 'unreached', 'unreached']);
});

test('what arrives while a node answers is sent to it in one request, in order', async () => {
  const gate = Promise.withResolvers<void>();
  node.gate = gate.promise;
  const sent = [send(ann, 0, 1), send(ann, 1, 1), send(ben, 4, 1)];
  await pass(4);
  gate.resolve();
  await Promise.all(sent);
  expect(node.parts).toEqual([['a0'], ['a1', 'b4']]);
});

test('a transaction with more gas than a block holds is sent, so that the node decides', async () => {
  expect(await send(ann, 0, 1, { gas: 31n })).toEqual([{ kind: 'sent' }]);
});

test('a refused transaction takes no room in the block', async () => {
  node.refused = 'a0';
  const [first, ...others] = await send(ann, 0, 3);
  expect(first).toMatchObject({ kind: 'refused', reason: 'gas price too low' });
  expect(others).toEqual([{ kind: 'sent' }, { kind: 'sent' }]);
  await send(ben, 0, 1);
  expect(node.parts.flat()).toEqual(['a0', 'a1', 'a2', 'b0']);
});

test('a chain that mines nothing does not hold up others, and gets the rest after 15 s', async () => {
  node.pending.set(ann, 3);
  const sent = send(ann, 0, 4);
  await send(ben, 0, 1, { chain: 'another' });
  await pass(14_000);
  expect(node.parts).toEqual([['a0', 'a1', 'a2'], ['b0']]);
  await pass(2000);
  expect(node.parts.at(-1)).toEqual(['a3']);
  expect(await sent).toHaveLength(4);
});

test('the wait starts over when something is mined', async () => {
  node.pending.set(ann, 3);
  void send(ann, 0, 4);
  await pass(14_000);
  node.mined.set(ann, 1);
  await pass(14_000);
  expect(node.parts).toHaveLength(1);
  await pass(2000);
  expect(node.parts).toHaveLength(2);
});

test('what waits when the process is replaced is not sent to the next one', async () => {
  node.pending.set(ann, 3);
  const sent = send(ann, 0, 5);
  await pass(100);
  node.instance = '0x02';
  await pass(16_000);
  expect((await sent).map(({ kind }) => kind)).toEqual(['sent', 'sent', 'sent', 'unreached', 'unreached']);
  expect(node.parts).toEqual([['a0', 'a1', 'a2']]);
  expect(node.removed).toEqual([]);
});

test('what would take too much memory while it waits is left to the operator', async () => {
  const gate = Promise.withResolvers<void>();
  node.gate = gate.promise;
  const large = send(ann, 0, 1, { length: 16 * 1024 * 1024 });
  expect(await send(ben, 0, 2)).toMatchObject([{ kind: 'unreached' }, { kind: 'unreached' }]);
  void send(ben, 0, 2, { chain: 'another' });
  await pass(4);
  expect(node.parts.map(([first]) => first?.trim())).toEqual(['a0', 'b0']);
  gate.resolve();
  expect(await large).toEqual([{ kind: 'sent' }]);
  expect(await send(ben, 0, 2)).toEqual([{ kind: 'sent' }, { kind: 'sent' }]);
});

test('a workspace with many full chains leaves room for the others', async () => {
  node.gate = Promise.withResolvers<void>().promise;
  for (let chain = 0; chain < 8; chain += 1) {
    void send(ann, 0, 1, { chain: `greedy-${chain}` });
    void send(ann, 1, 1, { chain: `greedy-${chain}`, length: 15 * 1024 * 1024 });
  }
  const other = { workspace: 'another', chain: 'another' };
  void send(ben, 0, 1, other);
  const waiting = send(ben, 1, 1, { ...other, length: 15 * 1024 * 1024 });
  expect(await Promise.race([waiting, nextTurn('waits')])).toBe('waits');
});

describe('a node that does not count a transaction it has as pending', () => {
  test('evicts the transactions of that account and is sent them again', async () => {
    node.pending.set(ben, 1);
    void send(ben, 0, 1);
    void send(ann, 0, 4);
    await pass(1500);
    expect(node.removed).toEqual([ann]);
    expect(node.parts).toEqual([['b0'], ['a0', 'a1'], ['a0', 'a1']]);
  });

  test('is left alone when it cannot evict', async () => {
    node.isAnvil = false;
    void send(ann, 0, 4);
    await pass(1500);
    expect(node.parts).toEqual([['a0', 'a1', 'a2']]);
  });
});
