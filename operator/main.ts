import { messageOf } from '../core/lib/errors.ts';
import { createLog } from '../core/lib/log.ts';
import { assembleOperator } from './assemble.ts';
import { readSettings } from './settings.ts';

async function main(): Promise<void> {
  const operator = await assembleOperator(readSettings());
  operator.start();
  await stopRequested();
  await operator.stop();
}

function stopRequested(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    createLog('operator').error('cannot run', { error: messageOf(error) });
    process.exit(1);
  },
);
