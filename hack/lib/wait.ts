import { setTimeout as delay } from 'node:timers/promises';
import { UserError } from './run.ts';

const POLL_INTERVAL_MS = 50;

/** Polls `check` until it returns true; throws UserError with `timeoutMessage` after `limitMs`. */
export async function waitUntil(
  check: () => Promise<boolean>,
  limitMs: number,
  timeoutMessage: string,
): Promise<void> {
  const deadlineMs = Date.now() + limitMs;
  while (!(await check())) {
    if (Date.now() > deadlineMs) throw new UserError(timeoutMessage);
    await delay(POLL_INTERVAL_MS);
  }
}
