import { join } from 'node:path';
import { z } from 'zod';
import { type Keyring, keyringFiles, parseKeyring } from '../../core/accounts/keyring.ts';
import {
  type ForkSources,
  forkSourcesSchema,
  type Installation,
  installationSchema,
} from '../../core/api/installation.ts';
import { readEnv } from '../../core/lib/env.ts';
import { AppError, messageOf } from '../../core/lib/errors.ts';
import { drainMsSchema, logLevelSchema, portSchema, readBytes } from '../settings.ts';

const envSchema = z.object({
  PORT: portSchema.default(8546),
  METRICS_PORT: portSchema.default(9090),
  LOG_LEVEL: logLevelSchema,
  CONFIG_DIR: z.string().default('/etc/slipway/config'),
  KEYS_DIR: z.string().default('/etc/slipway/keys'),
  FORK_SOURCES_DIR: z.string().default('/etc/slipway/fork-sources'),
  DRAIN_MS: drainMsSchema,
});

export interface ForkSettings {
  env: z.infer<typeof envSchema>;
  forks: Installation['forks'];
  sources: ForkSources;
  keys: Keyring;
}

/** Reads the whole configuration of the fork proxy. Throws BadRequest naming the variable, or the file and field. */
export function readForkSettings(variables?: Record<string, string | undefined>): ForkSettings {
  const env = readEnv(envSchema, variables);
  const file = keyringFiles.forks;
  return {
    env,
    forks: readJson(join(env.CONFIG_DIR, 'config.json'), installationSchema).forks,
    sources: readJson(join(env.FORK_SOURCES_DIR, 'fork-sources.json'), forkSourcesSchema),
    keys: parseKeyring(readBytes(join(env.KEYS_DIR, file)).toString('utf8'), file),
  };
}

function readJson<Schema extends z.ZodType>(path: string, schema: Schema): z.infer<Schema> {
  try {
    return schema.parse(JSON.parse(readBytes(path).toString('utf8')));
  } catch (error) {
    throw new AppError('BadRequest', `${path} is not usable: ${messageOf(error)}`);
  }
}
