import { runUntil } from '../../../apiserver/lifecycle.ts';
import { createLog } from '../../../core/lib/log.ts';
import { runProcess, stopRequested } from '../../../core/lib/process.ts';
import { assembleCompilers } from './assemble.ts';
import { readCompilerSettings } from './settings.ts';

/** The compilers: compile contracts for their verification. Without rights, secrets and a network to call. */
async function main(): Promise<void> {
  const stop = stopRequested();
  const settings = readCompilerSettings();
  const log = createLog('compilers', settings.LOG_LEVEL);
  await runUntil(stop, assembleCompilers(settings, log));
}

runProcess('compilers', main);
