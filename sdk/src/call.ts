/** What every method takes as its last parameter. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** For the whole call, its retries included; 120,000 when absent. 0 means no limit. */
  timeoutMs?: number | undefined;
  /** A POST that is repeated with the same key takes effect once; every POST gets a fresh one when absent. */
  idempotencyKey?: string | undefined;
  /** Id of a workspace other than the one of the API key or the client. */
  workspace?: string | undefined;
  /** Further headers, such as `If-Match` or `X-Request-ID`. */
  headers?: Record<string, string> | undefined;
}

/** What a request has besides its method and path. */
export interface RequestInput extends CallOptions {
  /** Members that are undefined are left out. */
  query?: object | undefined;
  /** Sent as JSON. */
  body?: unknown;
  /** Whether it is not repeated after a failure, because a repeated one would take effect again. */
  isSentOnce?: boolean | undefined;
  /** Media type of the answer; JSON when absent. */
  accept?: string | undefined;
}

/** Makes a request and answers its parsed body: JSON, text, or undefined when there is none. */
export type Send = <T = unknown>(method: string, path: string, input?: RequestInput) => Promise<T>;

/** Makes a request and answers the response as soon as its headers are there. Throws SlipwayError unless it succeeded. */
export type Open = (method: string, path: string, input?: RequestInput) => Promise<Response>;

/** What a method that follows a stream takes as its last parameter. */
export type FollowedOptions = Pick<CallOptions, 'signal' | 'workspace'>;

/** What the stream at a path sends. */
export type Follow = <T>(path: string, options: FollowedOptions) => AsyncGenerator<T, void, undefined>;

/** How methods reach the service. */
export interface Calls {
  send: Send;
  follow: Follow;
}
