import { evmHeadCall, solanaHeadCall } from '../../core/chains/headCalls.ts';
import type { EvmRpc } from '../../core/evm/rpc.ts';
import { createManualClock } from '../../core/lib/manualClock.ts';
import { decide } from './decide/decide.ts';
import { createHeads } from './heads.ts';
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
  const heads = createHeads({ clock, rpcOf: () => rpc });
  const first = aNetwork();
  const pods = [aPod(first, readyStatus)];
  const { status } = decide(factsOf(first, { pods }));
  const network = { ...first, status: { ...status, lastActivityAt: activeAt } };
  const decision = decide(factsOf(network, { pods }));
  const answer = (next: unknown) => {
    block = next;
  };
  return { clock, heads, rpc, network, decision, asked, answer };
}

/** Reading goes on in the background. */
const answered = () => new Promise((resolve) => setImmediate(resolve));

it('reads the last block of a chain in use every ten seconds', async () => {
  const { clock, heads, network, decision, asked, answer } = scene();
  expect(heads.follow(network, decision)).toBe(10_000);
  await answered();
  expect(heads.last(network)).toBe(7);
  answer('0x9');
  heads.follow(network, decision);
  expect(asked).toEqual(['eth_blockNumber']);
  clock.advance(10_000);
  heads.follow(network, decision);
  await answered();
  expect(heads.last(network)).toBe(9);
});

it('asks nothing of a chain that nobody uses', () => {
  const { heads, network, decision, asked } = scene({ activeAt: '2030-01-02T03:00:00Z' });
  expect(heads.follow(network, decision)).toBeUndefined();
  expect(asked).toEqual([]);
});

it('keeps the block of one chain apart from that of the next', async () => {
  const { heads, network, decision } = scene();
  heads.follow(network, decision);
  await answered();
  const next = { ...network, status: { ...network.status, enclaveID: 'another' } };
  expect(heads.last(next)).toBeUndefined();
});

it('knows nothing of a chain whose engine answers something else', async () => {
  const { heads, rpc, network, decision, answer } = scene();
  answer({ error: 'no' });
  heads.follow(network, decision);
  expect(await heads.read(network, rpc)).toBeUndefined();
  expect(heads.last(network)).toBeUndefined();
});

it.each([
  ['EVM', evmHeadCall, '0x10', 16],
  ['Solana', solanaHeadCall, 16, 16],
  ['an answer without a block', evmHeadCall, null, Number.NaN],
])('finds the block in the answer: %s', (_family, { blockIn }, result, block) => {
  expect(blockIn(result)).toBe(block);
});
