import { jsonText, printableLines } from '../io/terminal.ts';

/** Exit codes: scripts branch on them, so they never change their meaning. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  /** Of "diff", where a failure has another code, as with "kubectl diff". */
  differs: 1,
  usage: 2,
  signIn: 3,
  notFound: 4,
  conflict: 5,
  endedInError: 6,
  notCompared: 7,
  timeout: 124,
  interrupted: 130,
} as const;

export type ExitName = keyof typeof exitCodes;

interface FieldProblem {
  path: string;
  message: string;
}

/** Why a command ends: one line what, one line remedy, and the fields that an answer names. */
export interface Failure {
  exit: ExitName;
  message: string;
  remedy?: string | undefined;
  details?: readonly FieldProblem[] | undefined;
  reason?: string | undefined;
  requestId?: string | undefined;
}

const failures = new WeakMap<Error, Failure>();

/** An error to throw: the command ends with its message and exit code. */
export function fail(exit: ExitName, message: string, remedy?: string): Error {
  return failWith({ exit, message, remedy });
}

/** The same for a failure that is known as a whole. */
export function failWith(failure: Failure): Error {
  const error = new Error(failure.message);
  failures.set(error, failure);
  return error;
}

/** The failure that `error` was thrown with. */
export function failureIn(error: unknown): Failure | undefined {
  return error instanceof Error ? failures.get(error) : undefined;
}

/** The text of a failure for people: what, then the fields, then the remedy. */
export function failureText({ message, details = [], remedy, requestId }: Failure): string {
  const lines = [
    `Error: ${message}`,
    // The service's own messages name their fields already.
    ...details
      .filter((detail) => !message.includes(detail.message))
      .map((detail) => `  ${detail.path}: ${detail.message}`),
    ...(remedy ? [remedy] : []),
    ...(requestId ? [`Request: ${requestId}`] : []),
  ];
  // Messages of chains and services are shown as well.
  return `${printableLines(lines.join('\n'))}\n`;
}

/** The same for programs, as one line. */
export function failureJson({ exit, ...failure }: Failure): string {
  return `${jsonText({ error: { ...failure, exitCode: exitCodes[exit] } })}\n`;
}
