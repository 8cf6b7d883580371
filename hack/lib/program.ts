import { isAppError } from '../../core/lib/errors.ts';
import { UserError } from './run.ts';

/** Runs what a file is for, and ends with code 1 when it fails. Of errors for the user, only the message is printed. */
export function runProgram(main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    const isForUser = error instanceof UserError || isAppError(error);
    console.error(isForUser ? error.message : error);
    process.exitCode = 1;
  });
}
