import type { SlipwayError } from '../../sdk/src/error.ts';
import type { Io } from '../io/io.ts';
import { isSlipwayError } from './client.ts';
import { type ExitName, type Failure, failureIn } from './failure.ts';
import { type Given, inWords } from './fields.ts';

const exits: Readonly<Record<number, ExitName>> = {
  401: 'signIn',
  403: 'signIn',
  404: 'notFound',
  409: 'conflict',
};

/** Messages of conflicts and budgets name their own. */
const remedies: Readonly<Record<number, string>> = {
  403: 'Use a key with this permission, or ask an owner of the workspace.',
  404: 'Check the name or id, and the id of the workspace: slipway workspace list',
  503: 'Wait a moment, then try again.',
};

const unreachable = 'Check the address (see: slipway profile list), the network, and that the service runs.';

/** Where a command runs, the profile that its command line names, and what else was given, as far as it is known. */
interface Place extends Pick<Io, 'signal' | 'env'> {
  profile?: string | undefined;
  given?: Given | undefined;
}

/** What a command that threw `error` tells its user. */
export function failureOf(error: unknown, place: Place): Failure {
  const known = failureIn(error);
  if (known) return known;
  if (place.signal.aborted)
    return { exit: 'interrupted', message: place.given?.spec.isEndless ? '' : 'Interrupted.' };
  if (isSlipwayError(error)) return answered(error, place);
  return { exit: 'failed', message: error instanceof Error ? error.message : String(error) };
}

function answered(error: SlipwayError, place: Place): Failure {
  const { status, reason, details, requestId } = error;
  return {
    exit: reason === 'NetworkError' ? 'endedInError' : (exits[status] ?? 'failed'),
    message: place.given ? inWords(error, place.given) : error.message,
    remedy: remedyOf(error, place),
    details,
    reason,
    requestId,
  };
}

function remedyOf({ status, reason }: SlipwayError, place: Place): string | undefined {
  // Of an answer that is not the service's own, only the status is known.
  if (status === 0 || reason === `Status${status}`) return unreachable;
  if (status === 404) return place.given?.spec.notFound ?? remedies[status];
  return status === 401 ? signInAgain(place) : remedies[status];
}

/** To sign in again renews the key that was used, unless that comes from the environment. */
function signInAgain({ env, profile }: Place): string {
  if (profile) return `Sign in again: slipway login --profile ${profile}`;
  const again = 'Sign in again: slipway login';
  return env.SLIPWAY_API_KEY ? `Replace the key in SLIPWAY_API_KEY, or unset it. ${again}` : again;
}
