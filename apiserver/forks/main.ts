import { messageOf } from '../../core/lib/errors.ts';
import { createLog } from '../../core/lib/log.ts';
import { runUntil } from '../lifecycle.ts';
import { assembleForks } from './assemble.ts';
import { readForkSettings } from './settings.ts';

/** The fork proxy: engines of forks read from public chains through it, and it alone knows the URLs of the sources. */
async function main(): Promise<void> {
  const stop = stopRequested();
  const settings = readForkSettings();
  const log = createLog('forks', settings.env.LOG_LEVEL);
  await runUntil(stop, assembleForks(settings, log));
}

function stopRequested(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    createLog('forks').error('cannot run', { reason: messageOf(error) });
    process.exit(1);
  },
);
