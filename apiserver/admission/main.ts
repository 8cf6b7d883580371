import { messageOf } from '../../core/lib/errors.ts';
import { createLog } from '../../core/lib/log.ts';
import { runUntil } from '../lifecycle.ts';
import { assembleAdmission } from './assemble.ts';
import { readAdmissionSettings } from './settings.ts';

/** The admission webhook. It calls nobody: replicas share only the master keys. */
async function main(): Promise<void> {
  const stop = stopRequested();
  const settings = readAdmissionSettings();
  const log = createLog('admission', settings.env.LOG_LEVEL);
  await runUntil(stop, await assembleAdmission(settings, log));
}

function stopRequested(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    createLog('admission').error('cannot run', { reason: messageOf(error) });
    process.exit(1);
  },
);
