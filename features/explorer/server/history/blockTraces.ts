import { resultIn } from '../../../../core/evm/answers.ts';
import { type EvmRpc, type RpcOutcome, rpcErrorOf } from '../../../../core/evm/rpc.ts';
import { type InnerTrace, innerOfList, innerOfTree, isUnknownMethod } from '../../../../core/evm/traces.ts';
import { isObject } from '../../../../core/lib/json/members.ts';

/** The calls within the transactions of a block, by their hashes, as far as the node has traces. */
export type BlockTraces = ReadonlyMap<string, InnerTrace[]>;

interface TracedBlock {
  number: string;
  /** Of its transactions. */
  hashes: readonly string[];
}

interface Dialect {
  method: string;
  params: readonly unknown[];
  read(result: unknown, hashes: readonly string[]): BlockTraces;
}

/** The tracing API of OpenEthereum (anvil keeps its traces, and runs nothing again), and that of geth. */
const dialects: readonly Dialect[] = [
  { method: 'trace_block', params: [], read: ofLists },
  { method: 'debug_traceBlockByNumber', params: [{ tracer: 'callTracer' }], read: ofTrees },
];

/** The traces of each of the blocks. Never rejects: a block that the node cannot trace has none. */
export async function tracesOf(
  rpc: Pick<EvmRpc, 'batch'>,
  blocks: readonly TracedBlock[],
): Promise<BlockTraces[]> {
  for (const { method, params, read } of dialects) {
    const calls = blocks.map(({ number }) => ({ method, params: [number, ...params] }));
    const outcomes = await rpc.batch(calls);
    if (outcomes.some((outcome) => 'error' in outcome && isUnknownMethod(outcome.error))) continue;
    // The traces of one block may be longer than an answer may be: each block is asked for alone.
    if (outcomes.some(isUnanswered)) {
      for (const [index, call] of calls.entries()) outcomes.splice(index, 1, ...(await rpc.batch([call])));
    }
    return outcomes.map((outcome, index) => read(resultIn(outcome), blocks[index]?.hashes ?? []));
  }
  return blocks.map(() => new Map());
}

const isUnanswered = (outcome: RpcOutcome): boolean => 'error' in outcome && !rpcErrorOf(outcome.error);

function ofLists(result: unknown): BlockTraces {
  const traces = Array.isArray(result) ? result.filter(isObject) : [];
  const byHash = Map.groupBy(traces, ({ transactionHash }) => String(transactionHash));
  return new Map([...byHash].map(([hash, own]) => [hash, innerOfList(own)]));
}

function ofTrees(result: unknown, hashes: readonly string[]): BlockTraces {
  const frames = Array.isArray(result) && result.length === hashes.length ? result.filter(isObject) : [];
  return new Map(
    frames.map((frame, index) => [String(frame.txHash ?? hashes[index]), innerOfTree(frame.result)]),
  );
}
