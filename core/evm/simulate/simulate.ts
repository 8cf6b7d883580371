import { type EvmRpc, type RpcCall, type RpcOutcome, rpcErrorOf } from '../rpc.ts';
import { type StateChange, type StateOverrides, stateChangeSchema, withChange } from './stateOverrides.ts';

/** A transaction in the form of eth_call. */
export type CallRequest = Readonly<Record<string, string>>;

/** Characters of all changes, which are sent with each call: anvil takes 2 MB in one request. */
const maxChars = 1_500_000;
/** JSON-RPC: a node without this method, tracer or parameter. */
const unknownCodes: readonly number[] = [-32601, -32602];

/**
 * Asks about transactions in order, each in the state that those before it leave on top of the pending block. Nothing is
 * sent, and the node's own state does not change: what each transaction changes is traced, and overrides the state of the
 * next one. `ask` passes the overrides on with its calls. Its answers in order; undefined when the node cannot trace
 * changes, or they are too large for one call. Rejects with what `ask` rejects with, and with Unavailable when the node does not answer.
 */
export async function simulate<T>(
  rpc: EvmRpc,
  requests: readonly CallRequest[],
  ask: (index: number, overrides: StateOverrides) => Promise<T>,
): Promise<T[] | undefined> {
  const answers: T[] = [];
  let overrides: StateOverrides = {};
  let room = maxChars;
  for (const [index, request] of requests.entries()) {
    const isLast = index === requests.length - 1;
    const traced = isLast ? [] : rpc.batch([traceCall(request, overrides)]);
    const [answer, [change]] = await Promise.all([ask(index, overrides), traced]);
    answers.push(answer);
    if (isLast) break;
    const changed = changeIn(change);
    room -= JSON.stringify(changed ?? '').length;
    if (!changed || room < 0) return undefined;
    overrides = withChange(overrides, changed);
  }
  return answers;
}

function traceCall(request: CallRequest, stateOverrides: StateOverrides): RpcCall {
  const options = { tracer: 'prestateTracer', tracerConfig: { diffMode: true }, stateOverrides };
  return { method: 'debug_traceCall', params: [request, 'pending', options] };
}

/** Undefined when the node cannot trace changes. What cannot be executed changes nothing. */
function changeIn(traced: RpcOutcome | undefined): StateChange | undefined {
  if (!traced || 'result' in traced) return stateChangeSchema.safeParse(traced?.result).data;
  const error = rpcErrorOf(traced.error);
  if (!error) throw traced.error;
  return unknownCodes.includes(error.code) ? undefined : { pre: {}, post: {} };
}
