import type { CliFeature } from '../../../cli/feature.ts';
import { chainOf } from '../mcp/chainOf.ts';
import { callCommand } from './call.ts';
import { historyCommand } from './history.ts';
import { listCommand } from './list.ts';
import { logsCommand } from './logs.ts';

export const feature: CliFeature = {
  commands: [callCommand, logsCommand, historyCommand],
  contractCommands: [listCommand],
  chainOf,
};
