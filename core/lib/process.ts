import { messageOf } from './errors.ts';
import { createLog } from './log.ts';

/** Resolves at the first signal to stop. Until it is called, such a signal kills the process. */
export function stopRequested(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
}

/** Runs `main` and ends the process: with `process.exitCode` (0 if unset), or with 1 and a log line if it throws. */
export function runProcess(component: string, main: () => Promise<void>, failure = 'cannot run'): void {
  main().then(
    () => process.exit(),
    (error: unknown) => {
      createLog(component).error(failure, { reason: messageOf(error) });
      process.exit(1);
    },
  );
}
