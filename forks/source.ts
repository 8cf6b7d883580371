import { Agent, type Dispatcher, request } from 'undici';
import type { Hold } from '../apiserver/http/limits/memoryBudget.ts';
import type { Turns } from '../apiserver/http/limits/turns.ts';
import { createCollector } from '../apiserver/http/pipeline/collector.ts';
import type { Clock } from '../core/lib/clock.ts';
import { AppError, codeOf } from '../core/lib/errors.ts';
import type { ForkMetrics } from './metrics.ts';
import type { Answer, ReadAnswer } from './readAnswer.ts';

export interface SourceCall {
  networkUid: string;
  /** Whose share of the limits it takes. */
  share: string;
  method: string;
  /** JSON text; undefined if the call has none. */
  params: string | undefined;
  /** What the answer occupies is charged to it; it throws TooManyRequests. */
  hold: Pick<Hold, 'take'>;
}

/** The source of a chain type. Nothing that it returns or throws contains its URL. */
export interface Source {
  /**
   * Its result or its JSON-RPC error. Rejects with Unavailable if it does not answer, even when it is asked again, and with
   * TooManyRequests for the network's own limits. When it is the network's turn, the source is not asked if `instead` has
   * the answer.
   */
  ask(call: SourceCall, instead: () => Promise<Answer> | undefined): Promise<Answer>;
}

interface SourceOptions {
  url: string;
  turns: Turns;
  agent: Dispatcher;
  readAnswer: ReadAnswer;
  clock: Clock;
  metrics: Pick<ForkMetrics, 'asked'>;
}

const maxAnswerBytes = 32 * 1024 * 1024;
const attemptMs = 20_000;
/** An engine gives up after 45 s. */
const lastRetryMs = 20_000;
const pausesMs = [250, 500, 1_000, 2_000, 4_000];
const longestPauseMs = 8_000;

/** Keep-alive connections to sources, each used for one call at a time. Redirects are never followed. */
export const sourceAgentOptions = {
  pipelining: 1,
  headersTimeout: attemptMs,
  bodyTimeout: attemptMs,
} as const;

/** To the installation's sources. */
export function createSourceAgent(): Agent {
  return new Agent({ ...sourceAgentOptions, connections: 64 });
}

export function createSource(options: SourceOptions): Source {
  const { turns, clock, metrics } = options;
  const attempt = createAttempt(options);

  async function askAgain(call: SourceCall): Promise<Answer> {
    const endMs = clock.nowMs() + lastRetryMs;
    for (let failures = 1; ; failures += 1) {
      const result = await attempt(call);
      if ('answer' in result) {
        metrics.asked('ok');
        return result.answer;
      }
      const pauseMs = clock.nowMs() > endMs ? undefined : pauseAfter(failures, result);
      metrics.asked(pauseMs === undefined ? 'failed' : 'repeated');
      if (pauseMs === undefined) throw result.error;
      await clock.sleep(pauseMs);
    }
  }

  return {
    async ask(call, instead) {
      const end = await turns.begin(call.networkUid, { group: call.share });
      try {
        const other = instead();
        if (other) {
          end();
          return await other;
        }
        // The turn is kept through the pauses: a source that is overloaded is asked less.
        return await askAgain(call);
      } finally {
        end();
      }
    },
  };
}

/** Asks once. */
function createAttempt({
  url,
  agent,
  readAnswer,
}: SourceOptions): (call: SourceCall) => Promise<AttemptResult> {
  const { address, headers } = addressOf(url);
  return async (call) => {
    try {
      const response = await request(address, {
        dispatcher: agent,
        method: 'POST',
        headers,
        body: bodyOf(call),
        signal: AbortSignal.timeout(attemptMs),
      });
      const text = await read(response.body, call.hold);
      const { statusCode } = response;
      const overload = overloadOf(statusCode, Number(response.headers['retry-after']));
      if (overload) return overload;
      const answer = await readAnswer(text, url, call);
      return answer ? { answer } : notAnAnswer(statusCode);
    } catch (error) {
      if (error instanceof AppError) return { error };
      // The message would name the host, which for some providers is a part of the key.
      const message = `the fork source does not answer: ${codeOf(error) ?? 'no answer in time'}`;
      return { error: new AppError('Unavailable', message), pauseMs: 0 };
    }
  };
}

/** `pauseMs`: it may answer when it is asked again, and not before this has passed. */
type AttemptResult = { answer: Answer } | Failure;
type Failure = { error: AppError; pauseMs?: number };

/** How long to wait before the source is asked again, with jitter; undefined: never. */
function pauseAfter(failures: number, { pauseMs: leastMs }: Failure): number | undefined {
  const pauseMs = pausesMs[failures - 1];
  if (pauseMs === undefined || leastMs === undefined) return undefined;
  return Math.max(pauseMs * (0.75 + Math.random() / 2), leastMs);
}

/** Why an overloaded source is asked again. */
function overloadOf(status: number, retryAfter: number): Failure | undefined {
  if (status !== 429 && status < 500) return undefined;
  const pauseMs = retryAfter > 0 ? Math.min(retryAfter * 1000, longestPauseMs) : 0;
  return { error: new AppError('Unavailable', `the fork source answers ${status}`), pauseMs };
}

function notAnAnswer(status: number): Failure {
  const what = status === 200 ? 'something that is not JSON-RPC' : String(status);
  return { error: new AppError('Unavailable', `the fork source answers ${what}`) };
}

async function read(body: AsyncIterable<Buffer>, hold: SourceCall['hold']): Promise<string> {
  const collector = createCollector(hold.take);
  for await (const chunk of body) {
    if (collector.length + chunk.length > maxAnswerBytes) {
      throw new AppError('TooLarge', `the answer of the fork source has more than ${maxAnswerBytes} bytes`);
    }
    collector.add(chunk);
  }
  return collector.join().toString('utf8');
}

function bodyOf({ method, params }: SourceCall): string {
  const suffix = params === undefined ? '' : `,"params":${params}`;
  return `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)}${suffix}}`;
}

/** undici takes no user and password from a URL. */
function addressOf(text: string): { address: URL; headers: Record<string, string> } {
  const address = new URL(text);
  const { username, password } = address;
  address.username = '';
  address.password = '';
  const headers = { 'content-type': 'application/json' };
  if (username === '' && password === '') return { address, headers };
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    address,
    headers: { ...headers, authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
  };
}
