import { setTimeout as delay } from 'node:timers/promises';
import { UserError } from './run.ts';

const POLL_INTERVAL_MS = 50;

/** Asks `check` again and again until it answers true; throws UserError with `complaint` after `limitMs`. */
export async function waitUntil(
  check: () => Promise<boolean>,
  limitMs: number,
  complaint: string,
): Promise<void> {
  const deadlineMs = Date.now() + limitMs;
  while (!(await check())) {
    if (Date.now() > deadlineMs) throw new UserError(complaint);
    await delay(POLL_INTERVAL_MS);
  }
}
