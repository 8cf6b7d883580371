import { AppError } from '../lib/errors.ts';

/** An invalid arg of a deployment: its name, what is wrong and what to do. */
export function wrongArg(member: string, message: string): AppError {
  return new AppError('BadRequest', `${member}: ${message}`, {
    details: [{ path: `args.${member}`, message }],
  });
}
