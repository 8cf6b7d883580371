import type { AppError } from '../lib/errors.ts';
import { isObject } from '../lib/json/members.ts';
import { type EvmRpc, type RpcCall, type RpcCallOptions, type RpcOutcome, rpcErrorOf } from './rpc.ts';

/** A call within a transaction that was not undone. Addresses are in lower case. */
export interface InnerTrace {
  /** As geth's callTracer names it: CALL, CREATE2, SELFDESTRUCT, ... */
  type: string;
  from: string;
  /** The account that was called or created, or received the balance of one that destroyed itself. */
  to: string;
  /** In wei; 0 where nothing is transferred, as by DELEGATECALL. */
  value: bigint;
}

type Members = Record<string, unknown>;

/** A tracing API: how it is asked about something, and what its answer says. */
export interface TraceDialect<Subject, Traces> {
  callOf(subject: Subject): RpcCall;
  read(result: unknown, subject: Subject): Traces;
}

interface Traced<Subject, Traces> {
  dialect: TraceDialect<Subject, Traces>;
  /** In the order of the subjects. */
  outcomes: RpcOutcome[];
}

/** Asks in the first of the dialects that the node knows, which is remembered; undefined if it knows none. */
export function createTracing<Subject, Traces>(dialects: readonly TraceDialect<Subject, Traces>[]) {
  let at = 0;
  return async (
    rpc: Pick<EvmRpc, 'batch'>,
    subjects: readonly Subject[],
    options: RpcCallOptions = {},
  ): Promise<Traced<Subject, Traces> | undefined> => {
    for (let dialect = dialects[at]; dialect; dialect = dialects[at]) {
      const tried = at;
      const outcomes = await rpc.batch(subjects.map(dialect.callOf), options);
      if (!outcomes.some((outcome) => 'error' in outcome && isUnknownMethod(outcome.error)))
        return { dialect, outcomes };
      // Another call may have learned the same meanwhile.
      at = Math.max(at, tried + 1);
    }
    return undefined;
  };
}

/** JSON-RPC 2.0: -32601 is "method not found"; geth answers the same for an API that is not enabled. */
function isUnknownMethod(error: AppError): boolean {
  const answer = rpcErrorOf(error);
  const message = answer?.message.toLowerCase() ?? '';
  const isAboutMethod = message.includes('method') && /not (found|supported)|does not exist/.test(message);
  return answer?.code === -32601 || isAboutMethod;
}

/**
 * The calls within a transaction, in the order in which they were made, from the flat list of OpenEthereum's tracing API, in which the
 * calls within a call follow it; `traceAddress` is the path from the call of the transaction itself to each call.
 */
export function innerOfList(traces: unknown): InnerTrace[] {
  const found: InnerTrace[] = [];
  let undone: string | undefined;
  for (const trace of Array.isArray(traces) ? traces.filter(isObject) : []) {
    const path = `${(Array.isArray(trace.traceAddress) ? trace.traceAddress : []).join('.')}.`;
    if (!isWithin(path, undone)) undone = trace.error === undefined ? undefined : path;
    if (path !== '.' && undone === undefined) found.push(...callOf(ofList(trace)));
  }
  return found;
}

/** Whether a call is the one at `other`, or within it. The paths end with a dot. */
function isWithin(path: string, other: string | undefined): boolean {
  return other !== undefined && (other === '.' || path.startsWith(other));
}

/** A trace of the list as a frame of the tree. */
function ofList({ type, action, result }: Members): Members {
  const own = isObject(action) ? action : {};
  const created = isObject(result) ? result.address : undefined;
  if (type === 'create')
    return { ...own, type: own.creationMethod === 'create2' ? 'create2' : 'create', to: created };
  if (type !== 'suicide') return { ...own, type: own.callType ?? type };
  return { type: 'selfdestruct', from: own.address, to: own.refundAddress, value: own.balance };
}

/** The same from the frame of a transaction by geth's callTracer. */
export function innerOfTree(frame: unknown): InnerTrace[] {
  if (!isObject(frame) || frame.error !== undefined || !Array.isArray(frame.calls)) return [];
  const calls = frame.calls.filter(isObject).filter(({ error }) => error === undefined);
  return calls.flatMap((call) => [...callOf(call), ...innerOfTree(call)]);
}

/** Calls with which the value goes to the other account. */
const moving = ['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT'];

function callOf({ type, from, to, value }: Members): InnerTrace[] {
  if (!isAddress(to)) return [];
  const name = String(type).toUpperCase();
  const isMoved = moving.includes(name) && typeof value === 'string' && /^0x[0-9a-f]+$/i.test(value);
  const sender = isAddress(from) ? from.toLowerCase() : '';
  return [{ type: name, from: sender, to: to.toLowerCase(), value: isMoved ? BigInt(value) : 0n }];
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value);
}
