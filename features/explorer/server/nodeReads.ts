import { type Dispatcher, request } from 'undici';
import { scrubMessage } from '../../../apiserver/gateway/jsonrpc/scrub.ts';
import { unanswered } from '../../../apiserver/gateway/light/answers.ts';
import type { AssistContext, OwnAnswer } from '../../../apiserver/gateway/policy/policy.ts';
import type { NodePlaces } from '../../../apiserver/http/limits/nodePlaces.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import { historyOf } from '../../../core/api/rules/history.ts';
import { readCapped } from '../../../core/evm/readCapped.ts';
import { createEvmRpc, unreached, unusable } from '../../../core/evm/rpc.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { compact } from '../../../core/lib/compact.ts';
import { isAppError } from '../../../core/lib/errors.ts';
import { isObject } from '../../../core/lib/json/members.ts';
import { redact } from '../../../core/lib/redact.ts';
import { inParallel } from '../../../core/lib/work/inParallel.ts';
import type { ChainAnswer, ChainRead } from '../api/chain.ts';
import { parseExactly } from './exactJson.ts';
import { pathOf } from './methods.ts';
import { publicCallOf } from './publicCall.ts';

/** Where the interfaces of a network's node are. */
export interface NodeAddress {
  network: Stored<NetworkResource>;
  rpcUrl: string;
  restUrl?: string | undefined;
  /** Its answers may have the URL from which it forks. */
  isFork: boolean;
}

interface ReadOptions {
  agent: Dispatcher;
  clock: Clock;
  places: NodePlaces;
  /** Told the length of each answer before it is parsed; throws when there is no memory for it. */
  take(bytes: number): void;
}

const timeoutMs = 10_000;
const maxBytes = 4 * 1024 * 1024;
const atATime = 6;

/** Asks a node, a few calls at a time. Never rejects but for `take`: each answer has its own error. */
export async function readNode(
  node: NodeAddress,
  reads: readonly ChainRead[],
  options: ReadOptions,
): Promise<ChainAnswer[]> {
  const answers: ChainAnswer[] = [];
  const budget = { left: maxBytes };
  await inParallel(reads.entries(), atATime, async ([index, read]) => {
    answers[index] = await answerOf(node, read, { ...options, budget });
  });
  return answers;
}

interface Exchange extends ReadOptions {
  budget: { left: number };
}

async function answerOf(node: NodeAddress, read: ChainRead, exchange: Exchange): Promise<ChainAnswer> {
  const answered = await textOf(node, read, exchange).catch((error: unknown) => ({
    failure: reasonOf(error),
  }));
  if ('failure' in answered) return { error: { message: answered.failure } };
  exchange.take(answered.text.length);
  try {
    const value = parseExactly(node.isFork ? withoutUrls(answered.text) : answered.text);
    return pathOf(read) === undefined ? rpcAnswer(value) : restAnswer(answered.status, value);
  } catch {
    return { error: { message: "the node's answer is not JSON" } };
  }
}

interface Answered {
  status: number;
  text: string;
}

/** The text that a node answers with, or the gateway's own answer. */
async function textOf(node: NodeAddress, read: ChainRead, exchange: Exchange): Promise<Answered> {
  const path = pathOf(read);
  if (path !== undefined) {
    if (node.restUrl === undefined) throw unusable('it has no REST interface now');
    return exchangeText({ url: `${node.restUrl}${path}`, method: 'GET' }, exchange);
  }
  const call = publicCallOf(node.network, read);
  if ('error' in call) return ownText(call);
  const place = await exchange.places.begin({ networkUid: node.network.metadata.uid, work: call.work });
  try {
    const own = await call.assist?.(assistContext(node, exchange)).catch(refused);
    if (own) return ownText(own);
    const headers = { 'content-type': 'application/json' };
    return await exchangeText({ url: node.rpcUrl, method: 'POST', headers, body: call.text }, exchange);
  } finally {
    place.end();
  }
}

const ownText = (answer: OwnAnswer): Answered => ({ status: 200, text: JSON.stringify(answer) });

/** What the node refuses is its answer. */
const refused = (error: unknown): OwnAnswer => unanswered(error, reasonOf(error));

function assistContext({ network, rpcUrl }: NodeAddress, { agent, clock }: Exchange): AssistContext {
  return {
    networkUid: network.metadata.uid,
    rpc: createEvmRpc({ url: rpcUrl, agent, clock, timeoutMs, maxBytes }),
    clock,
    hasHistory: historyOf(network.spec.chain) !== undefined,
    signal: new AbortController().signal,
    noteDone: () => undefined,
  };
}

interface HttpCall {
  url: string;
  method: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
}

/** The text of an answer, within what is left of the budget. */
async function exchangeText(
  { url, ...call }: HttpCall,
  { agent, clock, budget }: Exchange,
): Promise<Answered> {
  const timer = new AbortController();
  const late = unusable(`it did not answer within ${timeoutMs / 1000} s`);
  const cancel = clock.after(timeoutMs, () => timer.abort(late), 'background');
  try {
    const response = await request(url, {
      ...call,
      dispatcher: agent,
      signal: timer.signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const text = await readCapped(response.body, { maxBytes: budget.left });
    budget.left -= text.length;
    return { status: response.statusCode, text };
  } finally {
    cancel();
  }
}

function rpcAnswer(value: unknown): ChainAnswer {
  if (!isObject(value)) return { error: { message: "the node's answer is not JSON-RPC" } };
  if (!isObject(value.error)) return { result: value.result ?? null };
  const { code, message, data } = value.error;
  return {
    error: {
      ...(typeof code === 'number' ? { code } : {}),
      message: redact(String(message)),
      ...compact({ data }),
    },
  };
}

/** Errors of the REST interface have a code and a message. */
function restAnswer(status: number, value: unknown): ChainAnswer {
  if (status < 400) return { result: value };
  const message =
    isObject(value) && typeof value.message === 'string' ? value.message : `HTTP status ${status}`;
  return { error: { code: status, message: redact(message) } };
}

function withoutUrls(text: string): string {
  return scrubMessage(Buffer.from(text)).toString();
}

function reasonOf(error: unknown): string {
  return isAppError(error) ? error.message : unreached(error).message;
}
