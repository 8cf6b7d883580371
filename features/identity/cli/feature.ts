import type { CliFeature } from '../../../cli/feature.ts';
import { consoleCommand } from './console.ts';
import { deviceKey } from './deviceLogin.ts';

export const feature = { commands: [consoleCommand], keyOfMachine: deviceKey } as const satisfies CliFeature;
