import { z } from 'zod';
import { createKube } from '../../core/kube/client/client.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import { readEnv } from '../../core/lib/env.ts';
import { createLog } from '../../core/lib/log.ts';
import { runProcess } from '../../core/lib/process.ts';
import { ensureSecret } from './ensureSecret.ts';
import { missingBootstrapKey, missingKeys } from './generate.ts';

const texts = z.record(z.string(), z.string());
const envSchema = z.object({
  NAMESPACE: z.string().min(1),
  /** The names of the two Secrets; empty for one that the user brings. */
  KEYS_SECRET: z.string().default(''),
  BOOTSTRAP_SECRET: z.string().default(''),
  /** JSON: the labels and annotations of both. */
  METADATA: z.string(),
  KUBECONFIG: z.string().optional(),
});

/**
 * The process of a Job that runs before each installation and upgrade: generates the keys of the installation and the
 * first API key where they are missing. They are in no manifest, so that no rollback brings former ones back.
 */
async function main(): Promise<void> {
  const env = readEnv(envSchema);
  const log = createLog('keys');
  const metadata = z.object({ labels: texts, annotations: texts }).parse(JSON.parse(env.METADATA));
  const kube = createKube({
    log,
    clock: systemClock,
    userAgent: 'slipway-keys',
    ...compact({ kubeconfigPath: env.KUBECONFIG }),
  });
  const secrets = [
    { name: env.KEYS_SECRET, missing: missingKeys },
    { name: env.BOOTSTRAP_SECRET, missing: missingBootstrapKey },
  ];
  for (const { name, missing } of secrets) {
    if (name === '') continue;
    const added = await ensureSecret(kube, { ...metadata, namespace: env.NAMESPACE, name, missing });
    log.info('the Secret has all its keys', { name, generated: added.join(', ') || 'none' });
  }
  await kube.close();
}

runProcess('keys', main, 'the keys of the installation could not be generated: run it again');
