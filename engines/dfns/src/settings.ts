import { readFileSync } from 'node:fs';
import { type DfnsConfig, dfnsConfigSchema } from '../../../core/plugins/dfns/config.ts';

export interface DfnsSettings {
  config: DfnsConfig;
  masterKey: Buffer;
  token: string;
}

/** Reads the file and the secrets that it names. Throws when one of them is missing or malformed. */
export function readDfnsSettings(path: string): DfnsSettings {
  const config = dfnsConfigSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  const secret = (file: string) => readFileSync(file, 'utf8').trim();
  return {
    config,
    masterKey: Buffer.from(secret(config.secrets.keys), 'hex'),
    token: secret(config.secrets.token),
  };
}
