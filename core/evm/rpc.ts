import { type Dispatcher, request } from 'undici';
import { type Clock, systemClock } from '../lib/clock.ts';
import { compact } from '../lib/compact.ts';
import { AppError, codeOf, isAppError } from '../lib/errors.ts';
import { isObject } from '../lib/json/members.ts';
import { cut } from '../lib/text/foreignText.ts';
import { createOriginPools } from '../outbound/originPools.ts';
import { childSpan, type SpanStart } from '../tracing/spans.ts';
import { type Caps, readCapped } from './readCapped.ts';

/** A JSON-RPC error as the node answered it. */
export interface RpcError {
  code: number;
  /** Cut to a length that fits into a message. */
  message: string;
  /** Of a revert: the data that the contract returned, in hexadecimal, or an object around it. */
  data?: unknown;
}

export interface RpcCall {
  method: string;
  params: readonly unknown[];
}

/** The outcome of one call of a batch. */
export type RpcOutcome = { result: unknown } | { error: AppError };

export interface RpcCallOptions extends Partial<Caps> {
  signal?: AbortSignal;
  timeoutMs?: number;
}

/** For an answer about one block or one transaction, which holds as much as the gas limit of its chain allows. */
export const longAnswer = { maxBytes: 16 * 1024 * 1024 } satisfies RpcCallOptions;

/**
 * A node's JSON-RPC over HTTP, bounded in time and size. Failures are AppErrors:
 * BadRequest when the node answered with a JSON-RPC error (see `rpcErrorOf`); Unavailable when it was not reached, did
 * not answer in time, or answered something too large or not JSON-RPC. Requests are not retried.
 */
export interface EvmRpc {
  /** uid of the pod that it reaches, where that is known. */
  pod?: string;
  call(method: string, params: readonly unknown[], options?: RpcCallOptions): Promise<unknown>;
  /**
   * The outcomes in the order of the calls; never rejects. Many calls are split into several batches, sent one after
   * the other; when one is not answered, the rest is not sent and fails too. `timeoutMs` bounds each batch.
   */
  batch(calls: readonly RpcCall[], options?: RpcCallOptions): Promise<RpcOutcome[]>;
}

export interface EvmRpcOptions {
  url: string;
  /** uid of the pod behind the URL. */
  pod?: string | undefined;
  /** For one request including its answer; 10 s when absent. */
  timeoutMs?: number;
  /** Maximum size of an answer, unless a call says another; 4 MiB when absent. */
  maxBytes?: number;
  /** A connection pool to share with other nodes; its own when absent. */
  agent?: Dispatcher;
  clock?: Clock;
}

const defaultTimeoutMs = 10_000;
const defaultMaxBytes = 4 * 1024 * 1024;
/** Below the 1,000 calls that geth takes in one batch. */
const maxBatchCalls = 250;
/** Below what nodes take in one request: 2 MB is the default of anvil, whose limit the light engine lifts. */
const maxBatchBytes = 1_500_000;

/** A pool of keep-alive connections to any number of nodes. Redirects are never followed. */
export function createRpcAgent(): Dispatcher {
  return createOriginPools({ connections: 32, pipelining: 1, allowH2: false, connect: { timeout: 5000 } });
}

export function createEvmRpc(options: EvmRpcOptions): EvmRpc {
  const agent = options.agent ?? createRpcAgent();
  const post = (body: string, callOptions: RpcCallOptions) =>
    postText({ ...options, agent }, body, callOptions);
  return { ...compact({ pod: options.pod }), ...rpcOver(post) };
}

/**
 * JSON-RPC over anything that carries a text to a node and resolves to the text of its answer. What `send` rejects with is how the calls
 * fail: Unavailable.
 */
export function rpcOver(send: (body: string, options: RpcCallOptions) => Promise<string>): EvmRpc {
  const post = async (body: string, callOptions: RpcCallOptions) => parse(await send(body, callOptions));

  async function sendOne({ method, params }: RpcCall, callOptions: RpcCallOptions): Promise<unknown> {
    const outcome = outcomeOf(await post(textOf({ method, params }, 0), callOptions));
    if ('error' in outcome) throw outcome.error;
    return outcome.result;
  }

  async function sendAll(calls: readonly RpcCall[], callOptions: RpcCallOptions): Promise<RpcOutcome[]> {
    const outcomes: RpcOutcome[] = [];
    for (const texts of chunksOf(calls.map(textOf))) {
      const answered = await post(`[${texts.join(',')}]`, callOptions).then(
        (answer) => outcomesOf(answer, texts.length, outcomes.length),
        (error: unknown) => failAll(error, texts.length),
      );
      outcomes.push(...answered);
      const last = outcomes.at(-1);
      if (last && 'error' in last && !rpcErrorOf(last.error)) break;
    }
    if (outcomes.length === calls.length) return outcomes;
    const reason = unusable('it did not answer an earlier part of the batch');
    return [...outcomes, ...failAll(reason, calls.length - outcomes.length)];
  }

  return {
    call: (method, params, callOptions = {}) =>
      childSpan(spanOf([{ method }]), () => sendOne({ method, params }, callOptions)),
    batch: (calls, callOptions = {}) => childSpan(spanOf(calls), () => sendAll(calls, callOptions)),
  };
}

/** Names the method only: URLs contain keys, and parameters belong to the caller. */
function spanOf(calls: readonly Pick<RpcCall, 'method'>[]): SpanStart {
  const [first] = calls;
  const isOne = first !== undefined && calls.every(({ method }) => method === first.method);
  const method = isOne ? first.method : undefined;
  return {
    name: 'rpc',
    kind: 'client',
    attributes: { 'rpc.system': 'jsonrpc', 'rpc.method': method, 'slipway.count': calls.length },
  };
}

/** The node's JSON-RPC error, when `error` was caused by one. */
export function rpcErrorOf(error: unknown): RpcError | undefined {
  return isAppError(error, 'BadRequest') && isRpcError(error.cause) ? error.cause : undefined;
}

function textOf({ method, params }: RpcCall, id: number): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

function chunksOf(texts: readonly string[]): string[][] {
  const chunks: string[][] = [];
  let bytes = 0;
  for (const text of texts) {
    const current = chunks.at(-1);
    bytes += text.length;
    const isFull = !current || current.length >= maxBatchCalls || bytes > maxBatchBytes;
    if (isFull) bytes = text.length;
    if (isFull) chunks.push([text]);
    else current.push(text);
  }
  return chunks;
}

interface Post extends Omit<EvmRpcOptions, 'agent'> {
  agent: Dispatcher;
}

async function postText(post: Post, body: string, callOptions: RpcCallOptions): Promise<string> {
  const { signal, timeoutMs, maxBytes = post.maxBytes ?? defaultMaxBytes, leaveOut } = callOptions;
  const limitMs = timeoutMs ?? post.timeoutMs ?? defaultTimeoutMs;
  const timer = new AbortController();
  const cancel = (post.clock ?? systemClock).after(limitMs, () => timer.abort());
  try {
    const { statusCode, body: answer } = await request(post.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      dispatcher: post.agent,
      signal: signal ? AbortSignal.any([signal, timer.signal]) : timer.signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const text = await readCapped(answer, { maxBytes, ...compact({ leaveOut }) });
    if (statusCode !== 200) throw unusable(`it answered with HTTP status ${statusCode}`);
    return text;
  } catch (error) {
    if (isAppError(error)) throw error;
    if (timer.signal.aborted) throw unusable(`it did not answer within ${limitMs / 1000} s`);
    throw unreached(error);
  } finally {
    cancel();
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unusable('its answer is not JSON');
  }
}

/** A node that was not reached. */
export function unreached(error: unknown): AppError {
  return unusable(`it was not reached (${codeOf(error) ?? 'the connection ended'})`);
}

/** Why a node does not answer a call. */
export function unusable(reason: string): AppError {
  return new AppError('Unavailable', `the network's node cannot be used: ${reason}`, {
    retryAfterSeconds: 2,
  });
}

function failAll(error: unknown, count: number): RpcOutcome[] {
  const failure = isAppError(error) ? error : unreached(error);
  return Array.from({ length: count }, () => ({ error: failure }));
}

/** Answers of a batch come in any order; a single error instead of them applies to all. */
function outcomesOf(answer: unknown, count: number, firstId: number): RpcOutcome[] {
  if (!Array.isArray(answer)) {
    const outcome = outcomeOf(answer);
    return failAll('error' in outcome ? outcome.error : unusable('its answer is not a batch'), count);
  }
  const byId = new Map(answer.map((member: unknown) => [isObject(member) ? member.id : undefined, member]));
  return Array.from({ length: count }, (_, index) => outcomeOf(byId.get(firstId + index)));
}

function outcomeOf(answer: unknown): RpcOutcome {
  if (isObject(answer) && isRpcError(answer.error)) {
    const { code, message: given, data } = answer.error;
    const message = cut(given);
    const cause: RpcError = { code, message, ...compact({ data }) };
    return {
      error: new AppError('BadRequest', `the network's node refused the request: ${message}`, { cause }),
    };
  }
  if (isObject(answer) && 'result' in answer) return { result: answer.result };
  return { error: unusable('its answer is not JSON-RPC') };
}

function isRpcError(value: unknown): value is RpcError {
  return isObject(value) && typeof value.code === 'number' && typeof value.message === 'string';
}
