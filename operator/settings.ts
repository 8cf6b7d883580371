import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Keyring, type KeyringName, keyringFiles, parseKeyring } from '../core/accounts/keyring.ts';
import { type MasterKeys, parseMasterKeys } from '../core/accounts/seal.ts';
import { type Installation, installationSchema } from '../core/api/installation.ts';
import { loadSystemContracts, type SystemContracts } from '../core/chains/systemContracts.ts';
import { loadTokenContracts, type TokenContracts } from '../core/deploy/artifacts.ts';
import { readEnv } from '../core/lib/env.ts';
import { AppError, messageOf } from '../core/lib/errors.ts';
import { readTracingHeaders } from '../core/tracing/headers.ts';

const envSchema = z.object({
  METRICS_PORT: z.coerce.number().int().min(0).max(65_535).default(9090),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
  POD_NAME: z.string().min(1),
  POD_NAMESPACE: z.string().min(1),
  CONFIG_DIR: z.string().default('/etc/slipway/config'),
  KEYS_DIR: z.string().default('/etc/slipway/keys'),
  TRACING_DIR: z.string().default('/etc/slipway/tracing'),
  PULL_SECRETS_DIR: z.string().default('/etc/slipway/pull-secrets'),
  SYSTEM_CONTRACTS: z.string().default('/app/system-contracts.json'),
  TOKEN_CONTRACTS: z.string().default('/app/token-contracts'),
  KUBECONFIG: z.string().optional(),
  WORKERS: z.coerce.number().int().min(1).max(256).default(16),
});

export interface Settings {
  env: z.infer<typeof envSchema>;
  installation: Installation;
  masterKeys: MasterKeys;
  keys: Pick<Record<KeyringName, Keyring>, 'access' | 'engines' | 'forks' | 'serviceAccounts'>;
  systemContracts: SystemContracts;
  tokenContracts: TokenContracts;
  /** Headers for the collector of traces; absent where there are none. */
  tracingHeaders?: string | undefined;
}

/** Reads the operator's configuration. Throws BadRequest with the name of the invalid variable or file. */
export function readSettings(): Settings {
  const env = readEnv(envSchema);
  return {
    env,
    installation: readJson(join(env.CONFIG_DIR, 'config.json'), installationSchema),
    masterKeys: parseMasterKeys(readFileSync(join(env.KEYS_DIR, 'master-keys'), 'utf8')),
    keys: {
      access: readKeyring(env.KEYS_DIR, 'access'),
      engines: readKeyring(env.KEYS_DIR, 'engines'),
      forks: readKeyring(env.KEYS_DIR, 'forks'),
      serviceAccounts: readKeyring(env.KEYS_DIR, 'serviceAccounts'),
    },
    systemContracts: loadSystemContracts(env.SYSTEM_CONTRACTS),
    tokenContracts: loadTokenContracts(env.TOKEN_CONTRACTS),
    tracingHeaders: readTracingHeaders(env.TRACING_DIR),
  };
}

function readKeyring(folder: string, name: KeyringName): Keyring {
  const file = keyringFiles[name];
  return parseKeyring(readFileSync(join(folder, file), 'utf8'), file);
}

function readJson<Schema extends z.ZodType>(path: string, schema: Schema): z.infer<Schema> {
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new AppError('BadRequest', `${path} is not usable: ${messageOf(error)}`);
  }
}
