import { features } from '../features.ts';
import type { CommandSpec } from '../lib/spec.ts';

export const contractCommand: CommandSpec = {
  usage: 'contract',
  summary: 'Show the contracts of networks that are known by name.',
  children: features.flatMap(({ contractCommands = [] }) => contractCommands),
};
