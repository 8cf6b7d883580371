import { createSecretKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readKeyring, readMasterKeys } from '../core/accounts/keyFiles.ts';
import type { Keyring, KeyringName } from '../core/accounts/keyring.ts';
import type { MasterKeys } from '../core/accounts/seal.ts';
import { type Installation, installationSchema } from '../core/api/installation.ts';
import { readEnv } from '../core/lib/env.ts';
import { AppError, messageOf } from '../core/lib/errors.ts';
import { readJsonFile } from '../core/lib/json/jsonFile.ts';
import { readTracingHeaders } from '../core/tracing/headers.ts';
import { type ConsoleFiles, readConsole } from './console/files.ts';

/** Settings that the admission webhook has too. */
export const portSchema = z.coerce.number().int().min(0).max(65_535);
export const logLevelSchema = z.enum(['debug', 'info', 'warn', 'error']).default('info');
export const drainMsSchema = z.coerce.number().int().min(0).max(20_000).default(5000);

const envSchema = z.object({
  PORT: portSchema.default(8080),
  METRICS_PORT: portSchema.default(9090),
  LOG_LEVEL: logLevelSchema,
  POD_NAME: z.string().default(''),
  POD_NAMESPACE: z.string().min(1).default('slipway-system'),
  CONFIG_DIR: z.string().default('/etc/slipway/config'),
  KEYS_DIR: z.string().default('/etc/slipway/keys'),
  BOOTSTRAP_DIR: z.string().default('/etc/slipway/bootstrap'),
  SIGN_IN_DIR: z.string().default('/etc/slipway/sign-in'),
  TRACING_DIR: z.string().default('/etc/slipway/tracing'),
  KUBECONFIG: z.string().optional(),
  CONSOLE_DIR: z.string().default('/app/console'),
  TOKEN_CONTRACTS: z.string().default('/app/token-contracts'),
  DRAIN_MS: drainMsSchema,
});

export interface Settings {
  env: z.infer<typeof envSchema>;
  installation: Installation;
  masterKeys: MasterKeys;
  keys: Pick<Record<KeyringName, Keyring>, 'access' | 'cursors'>;
  pepper: KeyObject;
  bootstrap: { keyId: string; keySecret: string };
  /** Absent where the console was not built, as in a process that runs from sources. */
  console: ConsoleFiles | undefined;
  /** Headers for the collector of traces; absent where there are none. */
  tracingHeaders?: string | undefined;
}

/** Reads the whole configuration of the apiserver. Throws BadRequest naming the variable or file. */
export function readSettings(variables?: Record<string, string | undefined>): Settings {
  const env = readEnv(envSchema, variables);
  return {
    env,
    installation: readJsonFile(join(env.CONFIG_DIR, 'config.json'), installationSchema),
    masterKeys: readMasterKeys(env.KEYS_DIR),
    keys: { access: readKeyring(env.KEYS_DIR, 'access'), cursors: readKeyring(env.KEYS_DIR, 'cursors') },
    pepper: createSecretKey(readBytes(join(env.KEYS_DIR, 'api-key-pepper'))),
    bootstrap: {
      keyId: readLine(join(env.BOOTSTRAP_DIR, 'keyId')),
      keySecret: readLine(join(env.BOOTSTRAP_DIR, 'keySecret')),
    },
    console: readConsole(env.CONSOLE_DIR),
    tracingHeaders: readTracingHeaders(env.TRACING_DIR),
  };
}

/** A client secret or a password for signing in elsewhere. Throws Unavailable, with the remedy, while it is not there. */
export function readSignInSecret(
  { SIGN_IN_DIR }: Pick<Settings['env'], 'SIGN_IN_DIR'>,
  name: string,
): string {
  try {
    return readLine(join(SIGN_IN_DIR, name));
  } catch (cause) {
    const message = `the secret ${name} of this installation is missing`;
    throw new AppError(
      'Unavailable',
      `${message}: its administrator must create the Secret that the chart names`,
      {
        cause,
      },
    );
  }
}

/** Keys are raw bytes and are not trimmed. */
function readBytes(path: string): Buffer {
  try {
    const bytes = readFileSync(path);
    if (bytes.length > 0) return bytes;
  } catch (error) {
    throw new AppError('BadRequest', `cannot read ${path}: ${messageOf(error)}`);
  }
  throw new AppError('BadRequest', `${path} is empty`);
}

/** A line of text; editors may add whitespace to it. */
function readLine(path: string): string {
  const line = readBytes(path).toString('utf8').trim();
  if (line === '') throw new AppError('BadRequest', `${path} is empty`);
  return line;
}
