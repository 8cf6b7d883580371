import {
  type Advance,
  advanceTime,
  maxMinedBlocks,
  mineBlocks,
  type NewestBlock,
} from '../../../core/abi/clock.ts';
import type { CallNode } from '../../../core/abi/node.ts';
import { orRefused, requireAdminNode } from '../../contract/admin.ts';
import type { Context } from '../../lib/context.ts';
import { parseDurationMs } from '../../lib/duration.ts';
import { fail } from '../../lib/failure.ts';
import { findNetwork } from '../../lib/resolve.ts';
import type { CommandSpec } from '../../lib/spec.ts';

const whose =
  'For networks with the light engine, and members who may write networks. Wakes a stopped network.';

export const clockCommands: readonly CommandSpec[] = [
  {
    usage: 'mine <network> [blocks]',
    summary: 'Mine blocks (1).',
    details: whose,
    examples: ['slipway network mine my-net', 'slipway network mine my-net 64'],
    async run(context, { args: [given = '', blocks = '1'] }) {
      const count = countOf(blocks);
      await change(context, given, (node) => mineBlocks(node, count));
    },
  },
  {
    usage: 'time <network> <time>',
    summary: 'Mine a block at a later time, from which the clock of the chain goes on.',
    details: `The time is so much later than now on the chain, such as +90s, +1h or +30d, or a date such as 2031-01-31 or
2031-01-31T12:00:00Z. ${whose}`,
    examples: ['slipway network time my-net +1h', 'slipway network time my-net 2031-01-31T12:00:00Z'],
    async run(context, { args: [given = '', text = ''] }) {
      const to = advanceOf(text);
      await change(context, given, (node) => advanceTime(node, to));
    },
  },
];

async function change(
  context: Context,
  given: string,
  work: (node: CallNode) => Promise<NewestBlock>,
): Promise<void> {
  const client = await context.client();
  const { id, name } = await findNetwork(client, given);
  const block = await orRefused(work(await requireAdminNode(context, client, id)));
  const time = new Date(block.timestamp * 1_000).toISOString().replace('.000Z', 'Z');
  context.ui.object(block, `${name} is at block ${block.number}, of ${time}.\n`);
}

function countOf(text: string): number {
  const count = Number(text);
  if (/^\d{1,9}$/.test(text) && count >= 1 && count <= maxMinedBlocks) return count;
  throw fail('usage', `"${text}" is not a number of blocks.`, `Use 1 to ${maxMinedBlocks}.`);
}

function advanceOf(text: string): Advance {
  if (text.startsWith('+')) {
    const seconds = Math.floor(parseDurationMs(text.slice(1), '<time>') / 1_000);
    if (seconds > 0) return { seconds };
    throw fail('usage', `${text} is less than a second.`, 'Blocks have times in seconds.');
  }
  const ms = /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[-+]\d\d:\d\d))?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (ms >= 0) return { time: Math.floor(ms / 1_000) };
  throw fail('usage', `"${text}" is not a time.`, 'Write +1h, 2031-01-31 or 2031-01-31T12:00:00Z.');
}
