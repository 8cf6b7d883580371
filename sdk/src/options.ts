import type { SlipwayError } from './error.ts';
import { type Runtime, systemRuntime } from './runtime.ts';
import { withoutEnding } from './withoutEnding.ts';

/** Which request a warning is about. */
interface WarningContext {
  method: string;
  path: string;
}

export interface ClientOptions {
  /** Where the installation is, such as `https://slipway.example`. */
  url: string;
  /** `<id>.<secret>`; without it, calls have no credentials but cookies of a browser. */
  apiKey?: string | undefined;
  /** Id of the workspace of all calls; that of the API key when absent. */
  workspace?: string | undefined;
  /** How often a call that failed for a passing reason is repeated; 4 when absent. */
  retries?: number | undefined;
  /** The limit of each call, its retries included; 120,000 when absent. */
  timeoutMs?: number | undefined;
  /** Named in the header User-Agent, where the platform allows it. */
  userAgent?: string | undefined;
  fetch?: typeof globalThis.fetch | undefined;
  /**
   * Told each side effect that the service announces in the header Warning, once the answer is read. What it throws, the
   * call rejects with as it is, although the service has done what was asked.
   */
  onWarning?: ((text: string, context: WarningContext) => void) | undefined;
  /**
   * Told each failure that a call outlives by another attempt, before the wait for it. What it throws ends the call, which
   * rejects with it as it is.
   */
  onRetry?: ((error: SlipwayError, waitMs: number) => void) | undefined;
  /** For tests: the clock, timers and chance. */
  runtime?: Runtime | undefined;
}

/** The checked options of a client. */
export interface Config {
  /** Without a slash at the end. */
  base: string;
  headers: Record<string, string>;
  retries: number;
  timeoutMs: number;
  fetch: typeof globalThis.fetch;
  onWarning: (text: string, context: WarningContext) => void;
  onRetry: (error: SlipwayError, waitMs: number) => void;
  runtime: Runtime;
}

/** Throws TypeError for options that no request could be made with. Its message never has the key. */
export function configOf(options: ClientOptions): Config {
  const { apiKey, workspace, userAgent } = options;
  return {
    base: baseOf(options.url),
    headers: {
      ...(apiKey ? { Authorization: `Bearer ${checkedKey(apiKey)}` } : {}),
      ...(workspace ? { 'X-Workspace-ID': workspace } : {}),
      ...(userAgent ? { 'User-Agent': userAgent } : {}),
    },
    retries: options.retries ?? 4,
    timeoutMs: options.timeoutMs ?? 120_000,
    // Called without `this`, which browsers refuse for their own fetch unless it is the global object.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    onWarning: options.onWarning ?? (() => {}),
    onRetry: options.onRetry ?? (() => {}),
    runtime: options.runtime ?? systemRuntime,
  };
}

function baseOf(text: string): string {
  if (!URL.canParse(text)) throw new TypeError('url is not a URL: use one such as https://slipway.example');
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol)) throw new TypeError('url must begin with https:// or http://');
  if (url.username || url.password) throw new TypeError('url has credentials: pass the API key as apiKey');
  return `${url.origin}${withoutEnding(url.pathname, '/')}`;
}

/** What fetch says about a header that it refuses contains the header. */
function checkedKey(apiKey: string): string {
  const key = apiKey.trim();
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new TypeError('apiKey has characters that no API key has: use <id>.<secret> as it was shown');
  }
  return key;
}
