import { z } from 'zod';
import { advanceTime, maxMinedBlocks, mineBlocks } from '../../core/abi/clock.ts';
import { requireAdminNode } from '../adminNode.ts';
import { findNetwork, named } from '../find.ts';
import { defineTool, type Tool } from '../tool.ts';

const whose = '(light engines, and keys that may write networks). Wakes a stopped network.';
const maxSeconds = 100 * 365 * 86_400;
const laterTime = z.iso.datetime({ offset: true }).max(64);

export const clockTools: readonly Tool[] = [
  defineTool({
    name: 'mine_blocks',
    title: 'Mine blocks',
    description: `Mines blocks at once, and answers the newest one ${whose}`,
    input: named.extend({ blocks: z.int().min(1).max(maxMinedBlocks).default(1) }),
    async run(context, { network, blocks }) {
      const { id } = await findNetwork(context, network);
      return mineBlocks(await requireAdminNode(context, id), blocks);
    },
  }),
  defineTool({
    name: 'advance_time',
    title: 'Advance the time of a chain',
    description: `Mines a block so many seconds later, or at a later time, from which the clock of the chain goes on, and answers it ${whose}`,
    input: named.extend({
      seconds: z.int().min(1).max(maxSeconds).optional().describe('How much later than now on the chain.'),
      time: laterTime.optional().describe('Instead: such as 2031-01-31T12:00:00Z.'),
    }),
    async run(context, { network, seconds, time }) {
      const to = advanceOf(seconds, time);
      const { id } = await findNetwork(context, network);
      return advanceTime(await requireAdminNode(context, id), to);
    },
  }),
];

function advanceOf(seconds: number | undefined, time: string | undefined) {
  if (seconds !== undefined && time === undefined) return { seconds };
  if (time !== undefined && seconds === undefined) return { time: Math.floor(Date.parse(time) / 1_000) };
  throw new Error('give either seconds or time');
}
