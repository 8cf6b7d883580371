import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ZodError } from 'zod';
import { AppError, isAppError, messageOf } from '../../../core/lib/errors.ts';
import type { Dfns } from './dfns.ts';
import { findRoute } from './routes.ts';

/** A signed action has the whole body of its request in it, as text within JSON. */
const maxBodyBytes = 512 * 1024;
const maxPage = 1000;
const usualPage = 100;

/** Answers requests as Dfns does, with its form of errors: `{"error": {"message"}}`. */
export function createDfnsListener(dfns: Dfns): RequestListener {
  return (request, response) => {
    answer(dfns, request).then(
      (body) => send(response, 200, body),
      (thrown: unknown) => {
        const error = errorOf(thrown);
        if (error.reason === 'Internal') dfns.log.error('a request failed', { reason: messageOf(thrown) });
        send(response, error.status, { error: { message: error.message } });
      },
    );
  };
}

async function answer(dfns: Dfns, request: IncomingMessage): Promise<object> {
  const { method = '', url = '/', headers } = request;
  checkToken(dfns.token, headers.authorization);
  const { pathname, searchParams: query } = new URL(url, 'http://dfns');
  const { handler, params, isOpen } = findRoute(method, pathname);
  const text = await textOf(request);
  if (!isOpen) dfns.userActions.use(userActionOf(request), { payload: text, method, path: pathname });
  return handler({ dfns, params, query, body: parsed(text), page: pageOf(query) });
}

/** Compares digests, which have the same length whatever was sent. */
function checkToken(token: string, authorization = ''): void {
  const digest = (text: string) => createHmac('sha256', token).update(text).digest();
  if (timingSafeEqual(digest(`Bearer ${token}`), digest(authorization))) return;
  throw new AppError(
    'Unauthorized',
    'the authentication token is not valid: use authToken of the Secret with credentials',
  );
}

function userActionOf({ headers }: IncomingMessage): string | undefined {
  const given = headers['x-dfns-useraction'];
  return typeof given === 'string' ? given : undefined;
}

function textOf(request: IncomingMessage): Promise<string> {
  const tooLarge = `the body is too large: send at most ${maxBodyBytes / 1024} KiB`;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBodyBytes) return void chunks.push(chunk);
      request.pause();
      reject(new AppError('TooLarge', tooLarge));
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.on('error', reject);
  });
}

function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError('BadRequest', 'the body is not JSON');
  }
}

function pageOf(query: URLSearchParams): { limit: number; before: number } {
  const limit = Number(query.get('limit') ?? usualPage);
  if (!Number.isInteger(limit) || limit < 1 || limit > maxPage) {
    throw new AppError('BadRequest', `limit: use an integer from 1 to ${maxPage}`);
  }
  const token = query.get('paginationToken');
  const before =
    token === null ? Number.MAX_SAFE_INTEGER : Number(Buffer.from(token, 'base64url').toString());
  if (Number.isSafeInteger(before) && before > 0) return { limit, before };
  throw new AppError('BadRequest', 'paginationToken: use nextPageToken of the page before');
}

function errorOf(thrown: unknown): AppError {
  if (isAppError(thrown)) return thrown;
  if (!(thrown instanceof ZodError))
    return new AppError('Internal', 'internal error: see the log of the plugin');
  const problems = thrown.issues.map(({ path, message }) =>
    [path.join('.'), message].filter(Boolean).join(': '),
  );
  return new AppError('BadRequest', problems.join('; '));
}

function send(response: ServerResponse, status: number, body: object): void {
  if (response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    // What is left of a body that is too large is not read.
    ...(status === 413 ? { Connection: 'close' } : {}),
  });
  response.end(text);
}
