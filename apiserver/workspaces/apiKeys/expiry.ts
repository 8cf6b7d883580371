import { type Clock, parseRfc3339 } from '../../../core/lib/clock.ts';
import { AppError } from '../../../core/lib/errors.ts';

/** Throws BadRequest for a key that would not be valid even once. */
export function checkExpiry(clock: Clock, { expiresAt }: { expiresAt?: string | undefined }): void {
  if (expiresAt === undefined || (parseRfc3339(expiresAt) ?? 0) > clock.nowMs()) return;
  const message = 'is in the past: use a time in the future';
  throw new AppError('BadRequest', `expiresAt ${message}`, { details: [{ path: 'expiresAt', message }] });
}
