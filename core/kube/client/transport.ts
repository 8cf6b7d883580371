import type { Readable } from 'node:stream';
import { type Dispatcher, request as undiciRequest } from 'undici';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { childSpan, type Span, type SpanStart } from '../../tracing/spans.ts';
import type { ResourceType } from '../kube.ts';
import type { KubeMetrics } from '../metrics.ts';
import { type Monotonic, systemMonotonic } from '../monotonic.ts';
import { type KubeStatus, toAppError, toUnreachable } from './apiError.ts';
import type { Connection } from './connection.ts';
import type { ServerClock } from './serverClock.ts';

interface ApiRequest {
  /** For metrics: get, list, create, replace, apply, patch, delete, watch, log. */
  verb: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query. */
  path: string;
  type?: ResourceType;
  body?: unknown;
  contentType?: string;
  accept?: string;
}

interface ApiAnswer {
  statusCode: number;
  json: unknown;
}

export interface Transport {
  /** Any answer below 300, and 404 when `allows404`. Everything else throws its AppError. */
  send(request: ApiRequest, allows404?: boolean): Promise<ApiAnswer>;
  /** The body of a watch or a log as a text stream. Only its start has a deadline. */
  open(request: ApiRequest, signal: AbortSignal): Promise<Readable>;
  /** The number of calls of `send` in flight. */
  inFlight(): number;
}

export interface TransportOptions {
  connection: Connection;
  clock: Clock;
  serverClock: ServerClock;
  requestTimeoutMs: number;
  userAgent: string;
  kubeMetrics?: KubeMetrics;
  monotonic?: Monotonic;
}

/** Requests to kube-apiserver over pooled connections, each with a deadline and with errors as AppErrors. */
export function createTransport(options: TransportOptions): Transport {
  const dispatch = createDispatch(options);
  const answerOf = createAnswerOf(dispatch);
  let inFlight = 0;

  /**
   * Runs `work` with a signal that aborts at the deadline; failures below HTTP become Unavailable. The abort itself ends
   * the wait: undici reacts to it only once connected, and then drops the request.
   */
  async function withDeadline<T>(controller: AbortController, work: () => Promise<T>): Promise<T> {
    const cancel = options.clock.after(options.requestTimeoutMs, () => controller.abort());
    try {
      return await Promise.race([work(), whenAborted(controller.signal)]);
    } catch (error) {
      throw error instanceof AppError ? error : toUnreachable(error);
    } finally {
      cancel();
    }
  }

  return {
    send(request, allows404 = false) {
      const controller = new AbortController();
      inFlight += 1;
      const sent = async (span: Span) => {
        const { answer, text } = await answerOf(request, controller.signal);
        span.set({ 'http.response.status_code': answer.statusCode });
        const isAccepted = answer.statusCode < 300 || (allows404 && answer.statusCode === 404);
        if (!isAccepted) throw failureOf(request, answer, text);
        return { statusCode: answer.statusCode, json: parseJson(text) };
      };
      const answered = childSpan(spanOf(request), (span) => withDeadline(controller, () => sent(span)));
      return answered.finally(() => {
        inFlight -= 1;
      });
    },
    inFlight: () => inFlight,
    async open(request, signal) {
      const controller = new AbortController();
      const abort = () => controller.abort();
      signal.addEventListener('abort', abort, { once: true });
      if (signal.aborted) abort();
      return withDeadline(controller, async () => {
        const answer = await dispatch(request, controller.signal);
        answer.body.once('close', () => signal.removeEventListener('abort', abort));
        if (answer.statusCode >= 300) throw failureOf(request, answer, await answer.body.text());
        return answer.body.setEncoding('utf8');
      });
    },
  };
}

/** Sends once more if a webhook's connection broke. Admission precedes every write, so nothing has been stored yet. */
function createAnswerOf(dispatch: Dispatch) {
  return async (request: ApiRequest, signal: AbortSignal) => {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await dispatch(request, signal);
      const text = await answer.body.text();
      if (attempt > 1 || !isWebhookCut(answer.statusCode, text)) return { answer, text };
    }
  };
}

/** Not the name of the object: it may be that of an API key. */
function spanOf({ verb, method, path, type }: ApiRequest): SpanStart {
  return {
    name: 'kube',
    kind: 'client',
    attributes: {
      'http.request.method': method,
      'slipway.kube.verb': verb,
      'slipway.kube.kind': type?.kind,
      'k8s.namespace.name': /\/namespaces\/([^/?]+)/.exec(path)?.[1],
    },
  };
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

type Dispatch = (request: ApiRequest, signal: AbortSignal) => Promise<Dispatcher.ResponseData>;

function createDispatch({
  connection,
  serverClock,
  userAgent,
  kubeMetrics,
  ...options
}: TransportOptions): Dispatch {
  const monotonic = options.monotonic ?? systemMonotonic;

  async function dispatchOnce(request: ApiRequest, signal: AbortSignal, isFresh: boolean) {
    const startMs = monotonic();
    const count = (code: number) => kubeMetrics?.requests?.(request.verb, code, monotonic() - startMs);
    const { server, headers, dispatcher } = await connection.access(isFresh);
    try {
      const answer = await undiciRequest(`${server}${request.path}`, {
        method: request.method,
        headers: { ...headers, ...headersOf(request, userAgent) },
        body: request.body === undefined ? null : JSON.stringify(request.body),
        dispatcher,
        signal,
      });
      serverClock.learn(headerOf(answer, 'date'));
      count(answer.statusCode);
      return answer;
    } catch (error) {
      count(0);
      throw error;
    }
  }

  /** Reads credentials again once when they are refused: the token file may have been renewed. */
  return async (request, signal) => {
    const first = await dispatchOnce(request, signal, false);
    if (first.statusCode !== 401) return first;
    await first.body.dump();
    return dispatchOnce(request, signal, true);
  };
}

function headersOf(request: ApiRequest, userAgent: string): Record<string, string> {
  const content = { 'Content-Type': request.contentType ?? 'application/json' };
  return {
    'User-Agent': userAgent,
    Accept: request.accept ?? 'application/json',
    ...(request.body === undefined ? {} : content),
  };
}

function headerOf(answer: Dispatcher.ResponseData, name: string): string | undefined {
  const value = answer.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function failureOf(request: ApiRequest, answer: Dispatcher.ResponseData, text: string): AppError {
  const retryAfterSeconds = Number.parseInt(headerOf(answer, 'retry-after') ?? '', 10);
  return toAppError({
    type: request.type,
    statusCode: answer.statusCode,
    status: statusOf(parseJson(text)),
    ...(Number.isNaN(retryAfterSeconds) ? {} : { retryAfterSeconds }),
  });
}

/** Whether kube-apiserver lost the connection to a webhook, or found none. A webhook that is slow is not asked twice. */
function isWebhookCut(statusCode: number, text: string): boolean {
  if (statusCode !== 500 || !text.includes('failed calling webhook')) return false;
  return /EOF|broken pipe|connection re(?:fused|set)|server closed idle connection/.test(text);
}

/** The answer as a Status; undefined when it is something else, such as an error page of a proxy. */
export function statusOf(json: unknown): KubeStatus | undefined {
  const isStatus = typeof json === 'object' && json !== null && 'kind' in json && json.kind === 'Status';
  return isStatus ? (json as KubeStatus) : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
