import { z } from 'zod';
import { drainMsSchema, logLevelSchema, portSchema } from '../../../apiserver/settings.ts';
import { readEnv } from '../../../core/lib/env.ts';

const envSchema = z.object({
  PORT: portSchema.default(8547),
  METRICS_PORT: portSchema.default(9090),
  LOG_LEVEL: logLevelSchema,
  COMPILERS_DIR: z.string().default('/app/compilers'),
  /** For one compilation. */
  COMPILE_SECONDS: z.coerce.number().int().min(1).max(600).default(60),
  COMPILE_MEMORY_MIB: z.coerce.number().int().min(64).max(4096).default(1024),
  /** Compilations at a time. */
  CONCURRENT: z.coerce.number().int().min(1).max(64).default(1),
  DRAIN_MS: drainMsSchema,
});

export type CompilerSettings = z.infer<typeof envSchema>;

/** Reads the environment of the process with the compilers. Throws BadRequest naming the variable. */
export function readCompilerSettings(variables?: Record<string, string | undefined>): CompilerSettings {
  return readEnv(envSchema, variables);
}
