import { createLog } from '../core/lib/log.ts';
import { runProcess, stopRequested } from '../core/lib/process.ts';
import { currentTrace } from '../core/tracing/spans.ts';
import { assemble } from './assemble.ts';
import { runUntil } from './lifecycle.ts';
import { readSettings } from './settings.ts';

/** The apiserver: REST and the RPC gateway. Replicas only share the cluster. */
async function main(): Promise<void> {
  const stop = stopRequested();
  const settings = readSettings();
  const log = createLog('apiserver', settings.env.LOG_LEVEL, currentTrace);
  await runUntil(stop, await assemble(settings, log));
}

runProcess('apiserver', main);
