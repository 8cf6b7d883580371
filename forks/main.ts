import { runUntil } from '../apiserver/lifecycle.ts';
import { createLog } from '../core/lib/log.ts';
import { runProcess, stopRequested } from '../core/lib/process.ts';
import { assembleForks } from './assemble.ts';
import { readForkSettings } from './settings.ts';

/** The fork proxy: engines of forks read from public chains through it, and it alone knows the URLs of the sources. */
async function main(): Promise<void> {
  const stop = stopRequested();
  const settings = readForkSettings();
  const log = createLog('forks', settings.env.LOG_LEVEL);
  await runUntil(stop, assembleForks(settings, log));
}

runProcess('forks', main);
