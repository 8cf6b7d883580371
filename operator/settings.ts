import { join } from 'node:path';
import { z } from 'zod';
import { readKeyring, readMasterKeys } from '../core/accounts/keyFiles.ts';
import type { Keyring, KeyringName } from '../core/accounts/keyring.ts';
import type { MasterKeys } from '../core/accounts/seal.ts';
import { type Installation, installationSchema } from '../core/api/installation.ts';
import { loadSystemContracts, type SystemContracts } from '../core/chains/systemContracts.ts';
import { loadTokenContracts, type TokenContracts } from '../core/deploy/artifacts.ts';
import { readEnv } from '../core/lib/env.ts';
import { readJsonFile } from '../core/lib/json/jsonFile.ts';
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
    installation: readJsonFile(join(env.CONFIG_DIR, 'config.json'), installationSchema),
    masterKeys: readMasterKeys(env.KEYS_DIR),
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
