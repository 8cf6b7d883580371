import { bodyOf, discard, errorOf } from './answer.ts';
import type { Open, RequestInput, Send } from './call.ts';
import { isSlipwayError, SlipwayError } from './error.ts';
import { startLimit } from './limit.ts';
import type { Config } from './options.ts';
import { retryWaitMs } from './retry.ts';
import { sleep } from './runtime.ts';

const idempotentMethods = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'];

interface Call extends RequestInput {
  method: string;
  path: string;
}

/** Ends a call that takes too long, and one that its caller ends. */
interface Limit {
  signal: AbortSignal;
  endsAtMs: number;
  stop(): void;
}

/** The two ways to make a request: one that reads the answer, and one that leaves it to the caller. */
export function createRequest(config: Config): { send: Send; open: Open } {
  return {
    // The type of an answer is what the contract says of its operation.
    send: <T>(method: string, path: string, input?: RequestInput) =>
      perform(config, { ...input, method, path }, bodyOf) as Promise<T>,
    open: (method, path, input) => perform(config, { ...input, method, path }, async (response) => response),
  };
}

interface Attempts<T> {
  limit: Limit;
  read: (response: Response) => Promise<T>;
}

/** What `onWarning` throws is the caller's, as it is: the service has done what was asked. */
async function perform<T>(config: Config, call: Call, read: Attempts<T>['read']): Promise<T> {
  const limit = limitOf(config, call);
  try {
    const { response, result } = await answerOf(config, call, { limit, read });
    warn(config, call, response);
    return result;
  } finally {
    limit.stop();
  }
}

/** The first answer that is a success, and what is read of it. */
async function answerOf<T>(config: Config, call: Call, { limit, read }: Attempts<T>) {
  const init = initOf(config, call);
  const isSafe =
    !call.isSentOnce && (idempotentMethods.includes(call.method) || 'Idempotency-Key' in init.headers);
  const url = urlOf(config, call);
  for (let attempt = 0; ; attempt += 1) {
    try {
      const response = await answered(config, url, { ...init, signal: limit.signal });
      return { response, result: await read(response) };
    } catch (thrown) {
      const error = failureOf(thrown, limit.signal, config.base);
      const waitMs =
        attempt < config.retries ? retryWaitMs({ error, attempt, isSafe }, config.runtime) : undefined;
      if (waitMs === undefined || config.runtime.nowMs() + waitMs >= limit.endsAtMs) throw error;
      if (isSlipwayError(error)) config.onRetry(error, waitMs);
      await sleep(config.runtime, waitMs, limit.signal);
    }
  }
}

/** The response of a success; throws SlipwayError for another one. */
async function answered(config: Config, url: string, init: RequestInit): Promise<Response> {
  const response = await config.fetch(url, init);
  if (response.ok) return response;
  throw await errorOf(response, config.runtime.nowMs());
}

/** What to throw for what fetch threw. The reason of an abort stays as it is. */
function failureOf(thrown: unknown, signal: AbortSignal, base: string): unknown {
  if (signal.aborted) return signal.reason;
  if (isSlipwayError(thrown)) return thrown;
  const why = whyOf(thrown);
  return new SlipwayError(`no answer from ${base}: ${why}`, { reason: 'Unreachable', cause: thrown });
}

interface Thrown {
  message?: string;
  code?: string;
  cause?: Thrown;
}

/** Node puts what happened into the cause of a general error. */
function whyOf(thrown: unknown): string {
  const error: Thrown = typeof thrown === 'object' && thrown !== null ? thrown : {};
  const { message, code } = error.cause ?? error;
  return message || code || String(thrown);
}

function limitOf({ runtime, timeoutMs: defaultMs }: Config, { signal, timeoutMs = defaultMs }: Call): Limit {
  const timedOut = (ms: number) => new SlipwayError(`no answer within ${ms} ms`, { reason: 'Timeout' });
  const endsAtMs = timeoutMs === 0 ? Number.POSITIVE_INFINITY : runtime.nowMs() + timeoutMs;
  return { ...startLimit(runtime, { signal, timeoutMs }, timedOut), endsAtMs };
}

function initOf(config: Config, call: Call): RequestInit & { headers: Record<string, string> } {
  const { method, body, workspace, accept = 'application/json', idempotencyKey } = call;
  return {
    method,
    redirect: 'manual',
    headers: {
      Accept: accept,
      ...config.headers,
      ...(workspace ? { 'X-Workspace-ID': workspace } : {}),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      // One key for all attempts of a call.
      ...(method === 'POST' ? { 'Idempotency-Key': idempotencyKey ?? randomKey() } : {}),
      ...call.headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

/** Not randomUUID, which browsers only have on secure origins. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function urlOf({ base }: Config, { path, query = {} }: Call): string {
  if (!path.startsWith('/')) throw new TypeError(`the path ${path} does not begin with "/"`);
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) search.append(name, String(one));
    }
  }
  const text = search.toString();
  return `${base}${path}${text && (path.includes('?') ? '&' : '?')}${text}`;
}

/** A Warning header is `299 - "text"`, or several of them. */
function warn({ onWarning }: Config, { method, path }: Call, response: Response): void {
  const header = response.headers.get('warning') ?? '';
  try {
    for (const [, text = ''] of header.matchAll(/\b299 \S+ "((?:[^"\\]|\\.)*)"/g)) {
      onWarning(text.replaceAll(/\\(.)/g, '$1'), { method, path });
    }
  } catch (error) {
    discard(response);
    throw error;
  }
}
