import type { Access } from '../../../core/accounts/accessKeys.ts';
import { isAppError } from '../../../core/lib/errors.ts';
import { fitsAtOnce, type NodeWork, noWork, plus } from '../../http/limits/nodeWork.ts';
import { parseRpcMessage, type RpcCall, type RpcFault, type RpcMessage } from '../jsonrpc/envelope.ts';
import type { BlockUse } from './blockUse.ts';
import type { Assist, JsonRpcPolicy } from './policy.ts';
import type { SubscriptionUse } from './subscriptions.ts';

/** JSON-RPC 2.0 error codes; -32002 and -32005 are of EIP-1474. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  invalidParams: -32602,
  methodNotFound: -32601,
  internal: -32603,
  unavailable: -32002,
  limitExceeded: -32005,
} as const;

/** What a call is answered with: the gateway's error object (JSON text), or what the node says to the id (JSON text). */
export type CallAnswer = { refusal: string } | { id: string };

/** A request after the method policy has been applied. */
export interface Screened {
  /** The text to send to the node; undefined if every call is refused. */
  forward: Buffer | undefined;
  isBatch: boolean;
  /** In the order of the calls. Notifications that are forwarded have none. */
  answers: CallAnswer[];
  /** Error objects (JSON text) for the calls that the gateway refuses. */
  refusals: string[];
  /** Ids (JSON text) of the calls in `forward` that expect a response. */
  ids: string[];
  /** Whether `forward` may be sent a second time. */
  isRepeatable: boolean;
  /** How many calls are in `forward`. */
  calls: number;
  /** The method of the only call in `forward`. */
  method?: string;
  /** How many calls in `forward` send a transaction to an EVM chain. */
  transactions: number;
  /** What the calls in `forward` take of what the node can do at a time. */
  work: NodeWork;
  /** How many of them leave something in the node. */
  kept: number;
  /** What they do to the subscriptions of their connection. */
  subscriptions: readonly SubscriptionUse[];
  /** How calls in `forward` use blocks. */
  blockUses: ReadonlySet<BlockUse>;
  /** All calls in their order if the gateway may work out the answer of one of them; otherwise none. */
  steps: readonly Step[];
}

/** A call of a message that is answered call by call: refused, or a text for the node, unless the gateway works out the answer. */
export type Step = { refusal: string } | PassedStep;
export interface PassedStep {
  /** JSON text; undefined in a notification. */
  id: string | undefined;
  method: string;
  text: string;
  assist: Assist | undefined;
  work: NodeWork;
}

/** Who calls, and under which policy. */
export interface Screening {
  access: Access;
  policy: JsonRpcPolicy;
  /** Told of each call, with what it is refused with. */
  note?: ((item: RpcCall | RpcFault, refusal: string | undefined) => void) | undefined;
}

/** A call that may be forwarded, or what it is answered with instead. */
type ScreenedItem = RpcCall | { refusal: string };

const sending = /^eth_send(Raw)?Transaction(Sync)?$/;

/** Checks a request or batch call by call. Allowed calls are forwarded byte for byte where possible. Never throws. */
export function screen(body: Buffer, screening: Screening): Screened {
  const { policy } = screening;
  const message = parse(body);
  if (typeof message === 'string') {
    screening.note?.({ id: undefined, fault: message }, message);
    return refused(message);
  }
  const [first] = message.items;
  if (!message.isBatch && first && !('fault' in first)) return screenSingle(body, first, screening);
  const items = withoutSubscriptions(
    policy,
    message.items.map((item) => screenItem(item, screening)),
  );
  const calls = items.filter((item): item is RpcCall => !('refusal' in item));
  const answers = items.flatMap((item): CallAnswer[] => {
    if ('refusal' in item) return [item];
    return item.id === undefined ? [] : [{ id: item.id }];
  });
  const refusals = answers.flatMap((answer) => ('refusal' in answer ? [answer.refusal] : []));
  const isWhole = refusals.length === 0 && !calls.some((call) => call.isRewritten);
  return {
    forward: isWhole ? body : textOf(calls, message.isBatch),
    isBatch: message.isBatch,
    answers,
    refusals,
    ids: calls.flatMap((call) => call.id ?? []),
    isRepeatable: calls.every((call) => policy.isRepeatable(call.method)),
    calls: calls.length,
    transactions: calls.filter((call) => sending.test(call.method)).length,
    ...leftBy(policy, calls),
    blockUses: new Set(calls.flatMap(({ method, text }) => policy.blockUse?.(method, text) ?? [])),
    ...stepsOf(policy, items),
  };
}

const noUses: Screened['blockUses'] = new Set();
const noRefusals: string[] = [];
const noSteps: Screened['steps'] = [];

/** What most requests are: one call. */
function screenSingle(body: Buffer, given: RpcCall, screening: Screening): Screened {
  const { policy } = screening;
  const call = screenItem(given, screening);
  if ('refusal' in call) return refused(call.refusal);
  const { id, method, text, isRewritten } = call;
  const step = stepOf(policy, call);
  const use = policy.blockUse?.(method, text);
  return {
    forward: isRewritten ? Buffer.from(text) : body,
    isBatch: false,
    answers: id === undefined ? [] : [{ id }],
    refusals: noRefusals,
    ids: id === undefined ? [] : [id],
    isRepeatable: policy.isRepeatable(method),
    calls: 1,
    method,
    transactions: sending.test(method) ? 1 : 0,
    work: step.work,
    ...leftBy(policy, [call]),
    blockUses: use === undefined ? noUses : new Set([use]),
    steps: step.assist ? [step] : noSteps,
  };
}

function refused(refusal: string): Screened {
  return {
    forward: undefined,
    isBatch: false,
    answers: [{ refusal }],
    refusals: [refusal],
    ids: [],
    isRepeatable: false,
    calls: 0,
    transactions: 0,
    work: noWork,
    kept: 0,
    subscriptions: [],
    blockUses: noUses,
    steps: noSteps,
  };
}

function stepsOf(policy: JsonRpcPolicy, items: readonly ScreenedItem[]): Pick<Screened, 'work' | 'steps'> {
  const steps = items.map((item) => ('refusal' in item ? item : stepOf(policy, item)));
  const passed = steps.filter((step) => 'method' in step);
  const work = passed.map((step) => step.work).reduce(plus, noWork);
  const isWorkedOut = !fitsAtOnce(work) || passed.some(({ assist }) => assist);
  return { work, steps: policy.assist && isWorkedOut ? steps : noSteps };
}

/** A subscription belongs to the connection that asks for it, and what is worked out is asked over another one. */
function withoutSubscriptions(
  policy: JsonRpcPolicy,
  items: readonly ScreenedItem[],
): readonly ScreenedItem[] {
  const subscribes = (item: ScreenedItem): item is RpcCall =>
    !('refusal' in item) && policy.subscription?.(item.method, item.text) !== undefined;
  if (!items.some(subscribes) || stepsOf(policy, items).steps.length === 0) return items;
  return items.map((item) => {
    if (!subscribes(item)) return item;
    const message = `${item.method} must be sent in a message of its own here`;
    return { refusal: rpcError(item.id, rpcCodes.invalidRequest, message) };
  });
}

/** What calls leave in the node. */
function leftBy(policy: JsonRpcPolicy, calls: readonly RpcCall[]): Pick<Screened, 'kept' | 'subscriptions'> {
  const kept = calls.filter(({ method }) => policy.keeps?.(method)).length;
  const subscriptions = calls.flatMap(({ method, text }) => policy.subscription?.(method, text) ?? []);
  return { kept, subscriptions };
}

/** A notification has no answer, so nothing is worked out. */
function stepOf(policy: JsonRpcPolicy, { id, method, text }: RpcCall): PassedStep {
  const assist = id === undefined ? undefined : policy.assist?.(method, text);
  const computing = policy.computes?.(method) ? 1 : 0;
  return { id, method, text, assist, work: { computing, answers: policy.answerWeight?.(method, text) ?? 0 } };
}

function rewritten(call: RpcCall, policy: JsonRpcPolicy): RpcCall {
  const text = policy.rewrite?.(call.method, call.text);
  return text === undefined ? call : { ...call, text, isRewritten: true };
}

/** A JSON-RPC 2.0 error object; `id` is JSON text. */
export function rpcError(id: string | undefined, code: number, message: string): string {
  return `{"jsonrpc":"2.0","id":${id ?? 'null'},"error":{"code":${code},"message":${JSON.stringify(message)}}}`;
}

/** The answer if no call reached a node: an error for each call, in order, the refusals among them. */
export function failureText(screened: Screened, code: number, message: string): string {
  const errors = screened.answers.map((answer) =>
    'refusal' in answer ? answer.refusal : rpcError(answer.id, code, message),
  );
  if (errors.length === 0) errors.push(rpcError(undefined, code, message));
  return screened.isBatch ? `[${errors.join(',')}]` : (errors[0] ?? '');
}

function parse(body: Buffer): RpcMessage | string {
  try {
    return parseRpcMessage(body);
  } catch (error) {
    if (!isAppError(error, 'BadRequest')) throw error;
    const isSyntax = error.message.includes('JSON');
    return rpcError(undefined, isSyntax ? rpcCodes.parseError : rpcCodes.invalidRequest, error.message);
  }
}

/** The call as it may be forwarded, or what it is answered with instead. */
function screenItem(item: RpcCall | RpcFault, screening: Screening): ScreenedItem {
  if ('fault' in item) {
    const fault = rpcError(item.id, rpcCodes.invalidRequest, item.fault);
    screening.note?.(item, fault);
    return { refusal: fault };
  }
  const refusal = refusalOf(item, screening);
  screening.note?.(item, refusal);
  return refusal === undefined ? rewritten(item, screening.policy) : { refusal };
}

function refusalOf(item: RpcCall, { access, policy }: Screening): string | undefined {
  const { id, method, text } = item;
  const idFault = id === undefined ? undefined : policy.idFault?.(id);
  if (idFault !== undefined) return rpcError(id, rpcCodes.invalidRequest, idFault);
  const needed = policy.methodAccess(method, text);
  if (needed === 'never' || (needed === 'admin' && access !== 'admin')) {
    return rpcError(
      id,
      rpcCodes.methodNotFound,
      closedText(needed, method, policy.refusalReason?.(method, text)),
    );
  }
  const fault = policy.faultOf?.(method, text);
  return fault === undefined ? undefined : rpcError(id, rpcCodes.invalidParams, fault);
}

function closedText(needed: 'never' | 'admin', method: string, reason: string | undefined): string {
  if (needed === 'never') return `${method} is not available on this service${reason ? `: ${reason}` : ''}`;
  const where = 'use the admin URL of the network ("admin" in its endpoints)';
  return `${method} is not available on the public URL: ${reason ? `${reason}; ` : ''}${where}`;
}

function textOf(calls: RpcCall[], isBatch: boolean): Buffer | undefined {
  const texts = calls.map((call) => call.text);
  if (texts.length === 0) return undefined;
  return Buffer.from(isBatch ? `[${texts.join(',')}]` : texts.join(''));
}
