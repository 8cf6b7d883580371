import type { EvmRpc } from '../../core/evm/rpc.ts';
import { createManualClock } from '../../core/lib/manualClock.ts';
import { decideWithEngine } from './engine.ts';
import { createLastBlocks } from './lastBlocks.ts';
import { nowMs, readyStatus } from './testing/facts.ts';
import { begun, facts, podOf } from './testing/participants.ts';

/** The state of a network whose parts are ready and whose nodes have these last blocks, by their services. */
async function stateWith(count: number, blocks: Record<string, number>): Promise<string | undefined> {
  const network = begun({ participants: [{ count }] });
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const parts = numbers.flatMap((number) => ['el', 'cl', 'vc'].map((kind) => `${kind}-${number}`));
  const pods = parts.map((part) => podOf(network, part, readyStatus));
  const rpcOf = (service = 'rpc'): EvmRpc | undefined => {
    const block = blocks[service];
    if (block === undefined) return undefined;
    return {
      call: async (method) => (method === 'eth_blockNumber' ? `0x${block.toString(16)}` : null),
      batch: async () => [],
    };
  };
  const { status } = await decideWithEngine(facts(network, { pods }), {
    rpcOf,
    lastBlocks: createLastBlocks({ rpcOf: () => rpcOf(), clock: createManualClock(nowMs) }),
    readForkHead: async () => ({ block: 0 }),
    readProcess: async () => undefined,
    warm: undefined,
  });
  return status.state;
}

it.each<[string, string, Record<string, number>]>([
  ['has no block yet, like its peers', 'Operational', { rpc: 0, 'el-2': 0, 'el-3': 0 }],
  ['has all blocks of its peers', 'Operational', { rpc: 412, 'el-2': 412, 'el-3': 412 }],
  ['has more, because a peer was replaced', 'Pending', { rpc: 412, 'el-2': 3, 'el-3': 412 }],
  ['still gets blocks from its peers', 'Pending', { rpc: 3, 'el-2': 412, 'el-3': 412 }],
  ['lacks blocks that one of them has', 'Pending', { rpc: 3, 'el-2': 0, 'el-3': 412 }],
  ['has a peer that does not say', 'Pending', { rpc: 412, 'el-2': 412 }],
])('a network of several nodes whose first one %s is %s', async (_what, state, blocks) => {
  expect(await stateWith(3, blocks)).toBe(state);
});

it('the only node has nobody to get blocks from', async () => {
  expect(await stateWith(1, { rpc: 3 })).toBe('Operational');
});
