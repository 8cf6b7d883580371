import type { AppError } from '../lib/errors.ts';
import { type EvmRpc, type RpcCall, rpcErrorOf } from './rpc.ts';

/**
 * A transaction that used less gas created no contract but its own: 21,000 for itself and 32,000 for CREATE
 * (Ethereum Yellow Paper, appendix G), of which refunds give back a fifth at most (EIP-3529).
 */
export const leastCreationGas = 42_400;

/** Finds the contracts that contracts created. Addresses are in lower case. */
export interface CreationTracer {
  /**
   * For each transaction what it created inside, in the order of creation, without the contract that the transaction
   * itself is for; undefined when the node keeps no traces. Unavailable when the node is not reached.
   */
  createdBy(hashes: readonly string[]): Promise<(string[] | undefined)[]>;
}

interface Dialect {
  callOf(hash: string): RpcCall;
  read(result: unknown): string[];
}

/** OpenEthereum's tracing (anvil, erigon, reth, nethermind, besu), and geth's. */
const dialects: readonly Dialect[] = [
  { callOf: (hash) => ({ method: 'trace_transaction', params: [hash] }), read: createdInList },
  {
    callOf: (hash) => ({ method: 'debug_traceTransaction', params: [hash, { tracer: 'callTracer' }] }),
    read: createdInTree,
  },
];

/** Remembers which way of tracing the node knows. */
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

/** JSON-RPC 2.0: -32601 is «method not found»; geth says the same of an API that is not served. */
function isUnknownMethod(error: AppError): boolean {
  const answer = rpcErrorOf(error);
  return (
    answer?.code === -32601 || /method not (found|supported)|does not exist/i.test(answer?.message ?? '')
  );
}

/** A flat list in the order of execution; `traceAddress` is the way to each call from the first. */
function createdInList(result: unknown): string[] {
  const created: string[] = [];
  const failed: string[] = [];
  for (const trace of Array.isArray(result) ? result.filter(isObject) : []) {
    const way = `${(Array.isArray(trace.traceAddress) ? trace.traceAddress : []).join('.')}.`;
    if (trace.error !== undefined) failed.push(way);
    const isInside = way !== '.';
    const isUndone = failed.some((prefix) => prefix === '.' || way.startsWith(prefix));
    const address = isObject(trace.result) ? trace.result.address : undefined;
    if (trace.type === 'create' && isInside && !isUndone) created.push(...addressesIn(address));
  }
  return created;
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
