import { join } from 'node:path';
import { z } from 'zod';
import { drainMsSchema, logLevelSchema, portSchema } from '../apiserver/settings.ts';
import { readKeyring } from '../core/accounts/keyFiles.ts';
import type { Keyring } from '../core/accounts/keyring.ts';
import {
  type ForkSources,
  forkSourcesSchema,
  type Installation,
  installationSchema,
} from '../core/api/installation.ts';
import { readEnv } from '../core/lib/env.ts';
import { readJsonFile } from '../core/lib/json/jsonFile.ts';

const envSchema = z.object({
  PORT: portSchema.default(8546),
  METRICS_PORT: portSchema.default(9090),
  LOG_LEVEL: logLevelSchema,
  CONFIG_DIR: z.string().default('/etc/slipway/config'),
  KEYS_DIR: z.string().default('/etc/slipway/keys'),
  FORK_SOURCES_DIR: z.string().default('/etc/slipway/fork-sources'),
  WORKSPACE_SHARES_DIR: z.string().default('/etc/slipway/workspace-shares'),
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
  return {
    env,
    forks: readJsonFile(join(env.CONFIG_DIR, 'config.json'), installationSchema).forks,
    sources: readJsonFile(join(env.FORK_SOURCES_DIR, 'fork-sources.json'), forkSourcesSchema),
    keys: readKeyring(env.KEYS_DIR, 'forks'),
  };
}
