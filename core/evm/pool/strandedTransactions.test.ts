import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../lib/errors.ts';
import { createManualClock, type ManualClock } from '../../lib/manualClock.ts';
import type { EvmRpc, RpcOutcome } from '../rpc.ts';
import { mineStrandedTransactions } from './strandedTransactions.ts';

let clock: ManualClock;
let reachable: boolean;
let node: { isAutomatic: boolean | undefined; waiting: number; perBlock: number; blocks: number };
beforeEach(() => {
  clock = createManualClock();
  reachable = true;
  node = { isAutomatic: true, waiting: 30, perBlock: 14, blocks: 0 };
});

const hex = (count: number) => `0x${count.toString(16)}`;
const unknown = new AppError('BadRequest', 'no such method', { cause: { code: -32601, message: 'unknown' } });
function automine(): RpcOutcome {
  if (!reachable) return { error: new AppError('Unavailable', 'no answer') };
  return node.isAutomatic === undefined ? { error: unknown } : { result: node.isAutomatic };
}
const rpc: EvmRpc = {
  async call() {
    node.blocks += 1;
    node.waiting -= Math.min(node.waiting, node.perBlock);
    return '0x0';
  },
  batch: async () => [
    automine(),
    { result: { pending: hex(node.waiting), queued: '0x0' } },
    { result: hex(node.blocks) },
  ],
};

/** Runs until it ends; each turn advances time by a second. */
async function run(perTurn = () => {}): Promise<void> {
  let isOver = false;
  const work = mineStrandedTransactions(rpc, clock).finally(() => {
    isOver = true;
  });
  for (let turn = 0; !isOver && turn < 100; turn++) {
    await nextTurn();
    perTurn();
    clock.advance(1000);
  }
  await work;
}

test('stranded transactions are mined, in as many blocks as it takes', async () => {
  await run();
  expect(node).toMatchObject({ waiting: 0, blocks: 3 });
});

test('a node that is mining is left alone', async () => {
  await run(() => {
    node.waiting = Math.max(0, node.waiting - 1);
  });
  expect(node.blocks).toBe(0);
});

test('transactions that a block does not take, for example because of their fees, cost one block', async () => {
  node.perBlock = 0;
  await run();
  expect(node.blocks).toBe(1);
});

test.each([
  ['mines on demand or at intervals', false],
  ['is not anvil', undefined],
])('a node that %s is left alone', async (_what, isAutomatic) => {
  node.isAutomatic = isAutomatic;
  await run();
  expect(node.blocks).toBe(0);
});

test('an unreachable node is reported', async () => {
  reachable = false;
  await expect(mineStrandedTransactions(rpc, clock)).rejects.toMatchObject({ reason: 'Unavailable' });
});
