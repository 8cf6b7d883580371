import { getCreateAddress } from 'ethers';
import type { AppError } from '../lib/errors.ts';
import { isObject } from '../lib/json/members.ts';
import { type EvmRpc, type RpcCall, rpcErrorOf } from './rpc.ts';

/** The address of the contract that a transaction creates: derived from its sender and nonce. In lower case. */
export function createAddressOf(from: string, nonce: number): string {
  return getCreateAddress({ from, nonce }).toLowerCase();
}

/**
 * A transaction that used less gas created no contract besides its own: it costs 21,000 plus 32,000 for CREATE
 * (Ethereum Yellow Paper, appendix G), and refunds return at most a fifth (EIP-3529).
 */
export const minCreationGas = 42_400;

/** Finds contracts that were created by contracts. Addresses are in lower case. */
export interface CreationTracer {
  /**
   * The contracts that each transaction created in inner calls, in order of creation, without the contract that the
   * transaction itself creates; undefined when the node has no traces. Unavailable when the node is not reached.
   */
  createdBy(hashes: readonly string[]): Promise<(string[] | undefined)[]>;
}

interface Dialect {
  callOf(hash: string): RpcCall;
  read(result: unknown): string[];
}

/** The tracing API of OpenEthereum (anvil, erigon, reth, nethermind, besu), and that of geth. */
const dialects: readonly Dialect[] = [
  { callOf: (hash) => ({ method: 'trace_transaction', params: [hash] }), read: createdInList },
  {
    callOf: (hash) => ({ method: 'debug_traceTransaction', params: [hash, { tracer: 'callTracer' }] }),
    read: createdInTree,
  },
];

/** Remembers which tracing API the node supports. */
export function createCreationTracer(rpc: Pick<EvmRpc, 'batch'>): CreationTracer {
  let at = 0;
  return {
    async createdBy(hashes) {
      if (hashes.length === 0) return [];
      for (; at < dialects.length; at++) {
        const dialect = dialects[at];
        if (!dialect) break;
        const outcomes = await rpc.batch(hashes.map(dialect.callOf));
        if (outcomes.some((outcome) => 'error' in outcome && isUnknownMethod(outcome.error))) continue;
        return outcomes.map((outcome) => {
          if ('result' in outcome) return dialect.read(outcome.result);
          if (rpcErrorOf(outcome.error)) return undefined;
          throw outcome.error;
        });
      }
      return hashes.map(() => undefined);
    },
  };
}

/** JSON-RPC 2.0: -32601 is "method not found"; geth answers the same for an API that is not enabled. */
function isUnknownMethod(error: AppError): boolean {
  const answer = rpcErrorOf(error);
  return (
    answer?.code === -32601 || /method not (found|supported)|does not exist/i.test(answer?.message ?? '')
  );
}

/**
 * A flat list in the order of execution, in which the calls within a call follow it; `traceAddress` is the path from the
 * top-level call to each call.
 */
export function createdInList(result: unknown): string[] {
  const created: string[] = [];
  let undone: string | undefined;
  for (const trace of Array.isArray(result) ? result.filter(isObject) : []) {
    const path = `${(Array.isArray(trace.traceAddress) ? trace.traceAddress : []).join('.')}.`;
    if (!isWithin(path, undone)) undone = trace.error === undefined ? undefined : path;
    const isInside = path !== '.';
    const address = isObject(trace.result) ? trace.result.address : undefined;
    if (trace.type === 'create' && isInside && undone === undefined) created.push(...addressesIn(address));
  }
  return created;
}

/** Whether a call is the one at `other`, or within it. The paths end with a dot. */
function isWithin(path: string, other: string | undefined): boolean {
  return other !== undefined && (other === '.' || path.startsWith(other));
}

function createdInTree(result: unknown): string[] {
  if (!isObject(result) || result.error !== undefined) return [];
  return childrenOf(result).flatMap(createdInFrame);
}

function createdInFrame(frame: Record<string, unknown>): string[] {
  if (frame.error !== undefined) return [];
  const own = frame.type === 'CREATE' || frame.type === 'CREATE2' ? addressesIn(frame.to) : [];
  return [...own, ...childrenOf(frame).flatMap(createdInFrame)];
}

function childrenOf({ calls }: Record<string, unknown>): Record<string, unknown>[] {
  return Array.isArray(calls) ? calls.filter(isObject) : [];
}

function addressesIn(value: unknown): string[] {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value) ? [value.toLowerCase()] : [];
}
