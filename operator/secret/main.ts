import { z } from 'zod';
import { readMasterKeys } from '../../core/accounts/keyFiles.ts';
import { createSealer } from '../../core/accounts/seal.ts';
import { createKube } from '../../core/kube/client/client.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import { readEnv } from '../../core/lib/env.ts';
import { createLog } from '../../core/lib/log.ts';
import { runProcess } from '../../core/lib/process.ts';
import { resealAll } from './reseal.ts';

const envSchema = z.object({
  KEYS_DIR: z.string().default('/etc/slipway/keys'),
  KUBECONFIG: z.string().optional(),
});

/** The process of a Job: reseals all secrets with the first master key. Exits with 1 when one of them fails. */
async function main(): Promise<void> {
  const env = readEnv(envSchema);
  const log = createLog('reseal');
  const sealer = createSealer(readMasterKeys(env.KEYS_DIR));
  const kube = createKube({
    log,
    clock: systemClock,
    userAgent: 'slipway-reseal',
    ...compact({ kubeconfigPath: env.KUBECONFIG }),
  });
  const { failed, resealed, current } = await resealAll({ kube, sealer, log });
  await kube.close();
  log.info('done', { failed, resealed, current });
  if (failed > 0) process.exitCode = 1;
}

runProcess('reseal', main, 'stopped before all secrets were resealed: run it again');
