import { randomUUID } from 'node:crypto';

/** The caller's request id if it is safe for log lines and headers, else a new one. */
export function requestIdOf(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[A-Za-z0-9._:-]{1,128}$/.test(given) ? given : randomUUID();
}
