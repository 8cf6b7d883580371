import { AuthorizationResponseError, ResponseBodyError } from 'openid-client';
import { AppError, isAppError, messageOf } from '../../../../core/lib/errors.ts';
import type { Log } from '../../../../core/lib/log.ts';
import { cut } from '../../../../core/lib/text/foreignText.ts';

interface Context {
  /** What people call the provider. */
  title: string;
  name: string;
  log: Log;
}

/** What people are told, with the remedy. What the provider said is in the log: it may be anything. */
export function asPublicError(error: unknown, { title, name, log }: Context): AppError {
  if (isAppError(error)) return error;
  log.warn('signing in with an identity provider failed', { provider: name, reason: reasonOf(error) });
  if (error instanceof AuthorizationResponseError) return answerOf(error.error, title);
  if (error instanceof ResponseBodyError) return refusalOf(error.error, { title, name });
  if (isNetworkFailure(error))
    return new AppError(
      'Unavailable',
      `${title} does not answer: try again in a minute, or sign in another way`,
      { cause: error, retryAfterSeconds: 30 },
    );
  return new AppError(
    'Unauthorized',
    `what ${title} answered cannot be verified: start again, and tell the administrator of this installation if it happens again`,
    { cause: error },
  );
}

/** https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1 and OpenID Connect Core, section 3.1.2.6. */
function answerOf(code: string, title: string): AppError {
  if (code === 'access_denied')
    return new AppError(
      'Forbidden',
      `${title} did not let you in: start again and confirm the sign-in there`,
    );
  if (code === 'temporarily_unavailable' || code === 'server_error')
    return new AppError('Unavailable', `${title} has a failure: try again in a minute`, {
      retryAfterSeconds: 30,
    });
  return new AppError('Forbidden', `${title} refused the sign-in (${plain(code)}): start again`);
}

/** https://www.rfc-editor.org/rfc/rfc6749#section-5.2 */
function refusalOf(code: string, { title, name }: Omit<Context, 'log'>): AppError {
  if (code === 'invalid_grant')
    return new AppError(
      'Unauthorized',
      `${title} no longer accepts this sign-in, which it does once and for a short time: start again`,
    );
  return new AppError(
    'Unavailable',
    `${title} refuses this installation (${plain(code)}): its administrator must check the client id and secret of the provider "${name}"`,
  );
}

const clientCodes: readonly string[] = ['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM'];
const networkCodes = /^(UND_ERR_|E[A-Z]+|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO)/;

/** The failure of a connection, or one that was caused by it. */
function isNetworkFailure(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const code = 'code' in error ? String(error.code) : '';
  if (clientCodes.includes(code) || networkCodes.test(code)) return true;
  return 'cause' in error && isNetworkFailure(error.cause);
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${messageOf(error.cause)}` : '';
  return cut(`${messageOf(error)}${cause}`, 500);
}

/** What a stranger may have written into an address. */
const plain = (code: string) =>
  cut(code)
    .replace(/[^\w.-]/g, '')
    .slice(0, 64);
