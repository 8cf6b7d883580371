import { allPluginsSkipReason, describeAllPlugins } from '../lib/allPlugins.ts';
import { minuteMs } from './families.ts';

/** On geth with a consensus client, where each transaction waits for the block of its slot. */
const suite = allPluginsSkipReason ? describe.skip : describe;
suite(`on a network with a participant${allPluginsSkipReason ? ` (${allPluginsSkipReason})` : ''}`, () => {
  describeAllPlugins({ chain: { participants: [{}], blockTime: 2 }, limitMs: 7 * minuteMs });
});
