import type { SlipwayError } from '../../sdk/src/error.ts';
import { isSlipwayError } from './client.ts';
import { type ExitName, type Failure, failureIn } from './failure.ts';

const exits: Readonly<Record<number, ExitName>> = {
  401: 'signIn',
  403: 'signIn',
  404: 'notFound',
  409: 'conflict',
};

const remedies: Readonly<Record<number, string>> = {
  401: 'Sign in again: slipway login',
  403: 'Use a key with this permission, or ask an owner of the workspace.',
  404: 'Check the name or id, and the workspace: slipway whoami, slipway workspace list',
  409: 'Read its current state, then try again.',
  429: 'Wait a moment, then try again.',
  503: 'Wait a moment, then try again.',
};

const unreachable = 'Check the address (slipway whoami shows it), the network, and that the service runs.';

/** What a command that threw `error` tells its user. */
export function failureOf(error: unknown, signal: AbortSignal): Failure {
  const known = failureIn(error);
  if (known) return known;
  if (signal.aborted) return { exit: 'interrupted', message: 'Interrupted.' };
  if (isSlipwayError(error)) return answered(error);
  return { exit: 'failed', message: error instanceof Error ? error.message : String(error) };
}

function answered({ status, reason, message, details, requestId }: SlipwayError): Failure {
  return {
    exit: reason === 'NetworkError' ? 'endedInError' : (exits[status] ?? 'failed'),
    message,
    remedy: status === 0 ? unreachable : remedies[status],
    ...{ details, reason, requestId },
  };
}
