import { z } from 'zod';
import { drainMsSchema, logLevelSchema, portSchema } from '../apiserver/settings.ts';
import { readMasterKeys } from '../core/accounts/keyFiles.ts';
import type { MasterKeys } from '../core/accounts/seal.ts';
import { readEnv } from '../core/lib/env.ts';

const envSchema = z.object({
  ADMISSION_PORT: portSchema.default(8443),
  METRICS_PORT: portSchema.default(9090),
  LOG_LEVEL: logLevelSchema,
  /** Whose service accounts are Slipway's own. */
  POD_NAMESPACE: z.string().min(1).default('slipway-system'),
  KEYS_DIR: z.string().default('/etc/slipway/keys'),
  TLS_DIR: z.string().default('/etc/slipway/tls'),
  DRAIN_MS: drainMsSchema,
});

export interface AdmissionSettings {
  env: z.infer<typeof envSchema>;
  masterKeys: MasterKeys;
}

/** Reads the whole configuration of the admission webhook. Throws BadRequest naming the variable or file. */
export function readAdmissionSettings(): AdmissionSettings {
  const env = readEnv(envSchema);
  return { env, masterKeys: readMasterKeys(env.KEYS_DIR) };
}
