import { messageOf } from '../core/lib/errors.ts';
import { createLog } from '../core/lib/log.ts';
import { assemble } from './assemble.ts';
import { runUntil } from './lifecycle.ts';
import { readSettings } from './settings.ts';

/** The apiserver: REST and the RPC gateway. Replicas only share the cluster. */
async function main(): Promise<void> {
  const stop = stopRequested();
  const settings = readSettings();
  const log = createLog('apiserver', settings.env.LOG_LEVEL);
  await runUntil(stop, assemble(settings, log));
}

function stopRequested(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    createLog('apiserver').error('cannot run', { reason: messageOf(error) });
    process.exit(1);
  },
);
