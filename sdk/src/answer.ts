import { type ErrorDetail, SlipwayError } from './error.ts';

/** The body of a successful response: JSON, text, which may be empty, or undefined. */
export async function bodyOf(response: Response): Promise<unknown> {
  if (isPage(response)) throw pageInstead(response);
  const text = await response.text();
  if (text === '') return emptyBody(response);
  if (!isJson(response)) return text;
  const body = parsed(text);
  if (body !== undefined) return body;
  throw new SlipwayError('the answer is not valid JSON', {
    reason: 'InvalidAnswer',
    status: response.status,
    requestId: requestIdOf(response),
  });
}

/** A log may be empty. Of other answers, those without a body are never a 200. */
function emptyBody(response: Response): string | undefined {
  if (isText(response)) return '';
  if (response.status === 200) throw notOurs();
  return undefined;
}

/** The error of a response that is not a success. Reads its body. */
export async function errorOf(response: Response, nowMs: number): Promise<SlipwayError> {
  const { status } = response;
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) return redirected(response);
  const text = await response.text().catch(() => '');
  const body = membersOf(parsed(text));
  const reason =
    textIn(body.reason) ?? (status === 502 || status === 504 ? 'Unavailable' : `Status${status}`);
  return new SlipwayError(textIn(body.message) ?? `the answer has status ${status}`, {
    status,
    reason,
    details: detailsIn(body.details),
    requestId: textIn(body.requestId) ?? requestIdOf(response),
    retryAfterMs: retryAfterMsOf(response.headers.get('retry-after'), nowMs),
  });
}

/** The wait that a header Retry-After asks for: seconds, or a time. */
function retryAfterMsOf(header: string | null, nowMs: number): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}

/** A redirect is not followed: another host must not get the credentials. */
function redirected(response: Response): SlipwayError {
  discard(response);
  const target = response.headers.get('location');
  const to = target ? ` to ${target}` : '';
  return new SlipwayError(`the service redirects${to}: use the URL that it redirects to`, {
    status: response.status,
    reason: 'Redirected',
    requestId: requestIdOf(response),
  });
}

/** Frees the connection of an answer that nobody reads. */
export function discard({ body }: Response): void {
  void body?.cancel().catch(() => {});
}

function requestIdOf(response: Response): string | undefined {
  return response.headers.get('x-request-id') ?? undefined;
}

function isText({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/plain') ?? false;
}

/** Another web server at the URL answers any path with its page. The API never does. */
function isPage({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/html') ?? false;
}

/** An answer that no operation of the API gives. */
export function notOurs(): SlipwayError {
  const message = 'the answer is not one of Slipway: check that the URL is that of an installation';
  return new SlipwayError(message, { reason: 'InvalidAnswer', status: 200 });
}

function pageInstead(response: Response): SlipwayError {
  discard(response);
  const message = 'the answer is a web page: check that the URL is that of a Slipway installation';
  return new SlipwayError(message, { reason: 'InvalidAnswer', status: response.status });
}

function isJson(response: Response): boolean {
  return /[/+]json\b/.test(response.headers.get('content-type') ?? '');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function membersOf(value: unknown): { [name: string]: unknown } {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function detailsIn(value: unknown): ErrorDetail[] {
  const entries: unknown[] = Array.isArray(value) ? value : [];
  return entries.map(membersOf).map(({ path, message }) => ({
    path: textIn(path) ?? '',
    message: textIn(message) ?? '',
  }));
}
