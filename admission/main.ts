import { runUntil } from '../apiserver/lifecycle.ts';
import { createLog } from '../core/lib/log.ts';
import { runProcess, stopRequested } from '../core/lib/process.ts';
import { assembleAdmission } from './assemble.ts';
import { readAdmissionSettings } from './settings.ts';

/** The admission webhook. It calls nobody: replicas share only the master keys. */
async function main(): Promise<void> {
  const stop = stopRequested();
  const settings = readAdmissionSettings();
  const log = createLog('admission', settings.env.LOG_LEVEL);
  await runUntil(stop, await assembleAdmission(settings, log));
}

runProcess('admission', main);
