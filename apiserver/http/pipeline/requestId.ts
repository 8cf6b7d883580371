import { randomUUID } from 'node:crypto';

/** The caller's own request id when it is fit for a log line and a header, else a new one. */
export function requestIdOf(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[A-Za-z0-9._:-]{1,128}$/.test(given) ? given : randomUUID();
}
