import { evmHeadCall, solanaHeadCall } from '../../core/chains/headCalls.ts';
import type { EvmRpc } from '../../core/evm/rpc.ts';
import { createManualClock } from '../../core/lib/manualClock.ts';
import { decide } from './decide/decide.ts';
import { createLastBlocks } from './lastBlocks.ts';
import { aNetwork, aPod, factsOf, nowMs, readyStatus } from './testing/facts.ts';

function scene({ activeAt = '2030-01-02T03:04:00Z' } = {}) {
  const clock = createManualClock(nowMs);
  const asked: string[] = [];
  let block: unknown = '0x7';
  const rpc: EvmRpc = {
    async call(method) {
      asked.push(method);
      return block;
    },
    batch: async () => [],
  };
  const lastBlocks = createLastBlocks({ clock, rpcOf: () => rpc });
  const first = aNetwork();
  const pods = [aPod(first, readyStatus)];
  const { status } = decide(factsOf(first, { pods }));
  const network = { ...first, status: { ...status, lastActivityAt: activeAt } };
  const decision = decide(factsOf(network, { pods }));
  const follow = (of = network) => lastBlocks.follow(of, evmHeadCall, decision.status);
  const answer = (next: unknown) => {
    block = next;
  };
  return { clock, lastBlocks, network, follow, asked, answer };
}

/** Reading continues in the background. */
const answered = () => new Promise((resolve) => setImmediate(resolve));

it('reads the last block of a chain in use every ten seconds, and ends when nobody uses it', async () => {
  const { clock, lastBlocks, network, follow, asked, answer } = scene();
  follow();
  await answered();
  expect(lastBlocks.last(network)).toBe(7);
  answer('0x9');
  follow();
  expect(asked).toHaveLength(1);
  clock.advance(10_000);
  await answered();
  expect(lastBlocks.last(network)).toBe(9);
  for (let reads = 0; reads < 20; reads += 1) {
    clock.advance(10_000);
    await answered();
  }
  expect(asked).toHaveLength(10);
});

it('keeps nothing of a network that is gone, and reads no more of it', async () => {
  const { clock, lastBlocks, network, follow, asked } = scene();
  follow();
  await answered();
  lastBlocks.forget(network.metadata.uid);
  expect(lastBlocks.last(network)).toBeUndefined();
  clock.advance(60_000);
  expect(asked).toHaveLength(1);
});

it('ends with the term of leadership', async () => {
  const { clock, lastBlocks, follow, asked } = scene();
  follow();
  await answered();
  lastBlocks.stop();
  clock.advance(60_000);
  expect(asked).toHaveLength(1);
});

it('asks nothing of a chain that nobody uses', () => {
  const { follow, asked } = scene({ activeAt: '2030-01-02T03:00:00Z' });
  follow();
  expect(asked).toEqual([]);
});

it('keeps the block of one chain apart from that of the next', async () => {
  const { lastBlocks, network, follow } = scene();
  follow();
  await answered();
  const next = { ...network, status: { ...network.status, enclaveID: 'another' } };
  expect(lastBlocks.last(next)).toBeUndefined();
  lastBlocks.follow(next, evmHeadCall, network.status);
  expect(lastBlocks.last(network)).toBe(7);
});

it('believes a lower block when it is read twice', async () => {
  const { clock, lastBlocks, network, follow, answer } = scene();
  follow();
  await answered();
  answer('0x0');
  const read: (number | undefined)[] = [];
  for (let reads = 0; reads < 2; reads += 1) {
    clock.advance(10_000);
    await answered();
    read.push(lastBlocks.last(network));
  }
  expect(read).toEqual([7, 0]);
});

it('knows nothing of a chain whose engine answers something else', async () => {
  const { lastBlocks, network, answer } = scene();
  answer({ error: 'no' });
  expect(await lastBlocks.read(network, evmHeadCall)).toBeUndefined();
  expect(lastBlocks.last(network)).toBeUndefined();
});

it.each([
  ['EVM', evmHeadCall, '0x10', 16],
  ['Solana', solanaHeadCall, 16, 16],
  ['an answer without a block', evmHeadCall, null, Number.NaN],
])('finds the block in the answer: %s', (_family, { blockIn }, result, block) => {
  expect(blockIn(result)).toBe(block);
});
