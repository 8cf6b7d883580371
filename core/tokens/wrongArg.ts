import { AppError } from '../lib/errors.ts';

/** The wrong argument of a deployment: its member, and what to do. */
export function wrongArg(member: string, message: string): AppError {
  return new AppError('BadRequest', `${member}: ${message}`, {
    details: [{ path: `args.${member}`, message }],
  });
}
