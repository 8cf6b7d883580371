import { features } from '../../features.ts';
import type { CommandSpec } from '../../lib/spec.ts';
import { accountsCommand } from './accounts.ts';
import { balanceCommand } from './balance.ts';
import { clockCommands } from './clock.ts';
import { controlCommands } from './control.ts';
import { manageCommands } from './manage.ts';
import { readCommands } from './read.ts';
import { typesCommand } from './types.ts';

export const networkCommand: CommandSpec = {
  usage: 'network',
  summary: 'Create, use and delete networks.',
  children: [
    ...manageCommands,
    ...readCommands,
    accountsCommand,
    balanceCommand,
    ...clockCommands,
    typesCommand,
    ...controlCommands,
    ...features.flatMap(({ networkCommands = [] }) => networkCommands),
  ],
};
