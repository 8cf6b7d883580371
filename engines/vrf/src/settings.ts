import { readFileSync } from 'node:fs';
import { type AgentSettings, configFile, settingsSchema } from '../../../core/plugins/vrf/agentSettings.ts';

export function readSettings(file = configFile): AgentSettings {
  return settingsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}

/** A secret of 32 bytes in hexadecimal. */
export function readKey(file: string): string {
  return readFileSync(file, 'utf8').trim();
}
