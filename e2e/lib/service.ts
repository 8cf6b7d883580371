import { randomBytes } from 'node:crypto';
import { readEnvironment } from '../../hack/up/environment.ts';

const environment = readEnvironment();
export const serviceUrl = environment.SLIPWAY_URL;
export const kubeconfig = environment.KUBECONFIG;
export const token = environment.SLIPWAY_API_KEY;
export const keyPair = {
  'X-API-Key-ID': environment.SLIPWAY_API_KEY_ID,
  'X-API-Key-Secret': environment.SLIPWAY_API_KEY_SECRET,
};

/** A REST response; `body` is the parsed JSON, or the text if it is not JSON. */
export interface Answer {
  status: number;
  headers: Headers;
  // The suite reads members that the case under test should have.
  // biome-ignore lint/suspicious/noExplicitAny: an assertion on a missing member fails with a clear message
  body: any;
}

interface CallOptions {
  body?: unknown;
  /** Sent unchanged instead of `body`. */
  text?: string;
  headers?: Record<string, string>;
  /** Sends no credentials. */
  isAnonymous?: boolean;
}

/** Makes one REST call through the ingress. */
export async function call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const text = options.text ?? (options.body === undefined ? null : JSON.stringify(options.body));
  const response = await fetch(`${serviceUrl}${path}`, {
    method,
    headers: {
      ...(text === null ? {} : { 'Content-Type': 'application/json' }),
      ...(options.isAnonymous ? {} : { Authorization: `Bearer ${token}` }),
      ...options.headers,
    },
    body: text,
    signal: AbortSignal.timeout(60_000),
  });
  const answer = await response.text();
  return { status: response.status, headers: response.headers, body: parse(answer) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A unique name. */
export function freshName(prefix: string): string {
  return `${prefix}-${randomBytes(4).toString('hex')}`;
}

/** An address that nobody has. */
export function freshEmail(name = 'user'): string {
  return `${freshName(name)}@example.com`;
}

/** Polls `ask` until `isDone`; throws with the last answer after `limitMs`. */
export async function until<T>(
  what: string,
  ask: () => Promise<T>,
  isDone: (answer: T) => boolean,
  limitMs = 300_000,
): Promise<T> {
  const endMs = Date.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (isDone(answer)) return answer;
    if (Date.now() > endMs)
      throw new Error(
        `timed out waiting for ${what}; last answer: ${JSON.stringify(answer)?.slice(0, 2_000)}`,
      );
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
