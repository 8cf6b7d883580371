import { resultIn } from '../../../../core/evm/answers.ts';
import { type EvmRpc, longAnswer, type RpcOutcome, rpcErrorOf } from '../../../../core/evm/rpc.ts';
import {
  createTracing,
  type InnerTrace,
  innerOfList,
  innerOfTree,
  type TraceDialect,
} from '../../../../core/evm/traces.ts';
import { isObject } from '../../../../core/lib/json/members.ts';

/** The calls within the transactions of a block, by their hashes, as far as the node has traces. */
export type BlockTraces = ReadonlyMap<string, InnerTrace[]>;

interface TracedBlock {
  number: string;
  /** Of its transactions. */
  hashes: readonly string[];
}

const callFor = (method: string, { number }: TracedBlock, ...params: unknown[]) => ({
  method,
  params: [number, ...params],
});

/** The tracing API of OpenEthereum (anvil keeps its traces, and runs nothing again), and that of geth. */
const dialects: readonly TraceDialect<TracedBlock, BlockTraces>[] = [
  { callOf: (block) => callFor('trace_block', block), read: ofLists },
  {
    callOf: (block) => callFor('debug_traceBlockByNumber', block, { tracer: 'callTracer' }),
    read: ofTrees,
  },
];

/** The traces of each of the blocks. Never rejects: a block that the node cannot trace has none. */
type TraceBlocks = (rpc: Pick<EvmRpc, 'batch'>, blocks: readonly TracedBlock[]) => Promise<BlockTraces[]>;

/** Remembers which tracing API the node supports. */
export function createBlockTracer(): TraceBlocks {
  const trace = createTracing(dialects);
  return async (rpc, blocks) => {
    const { dialect, outcomes = [] } = (await trace(rpc, blocks, longAnswer)) ?? {};
    const isSplit = outcomes.some(isUnanswered);
    const traces: BlockTraces[] = [];
    for (const [index, block] of blocks.entries()) {
      // The traces of one block may be longer than an answer may be: each block is asked for alone.
      const [alone] = isSplit && dialect ? await rpc.batch([dialect.callOf(block)], longAnswer) : [];
      traces.push(dialect?.read(resultIn(alone ?? outcomes[index]), block) ?? new Map());
    }
    return traces;
  };
}

const isUnanswered = (outcome: RpcOutcome): boolean => 'error' in outcome && !rpcErrorOf(outcome.error);

function ofLists(result: unknown): BlockTraces {
  const traces = Array.isArray(result) ? result.filter(isObject) : [];
  const byHash = Map.groupBy(traces, ({ transactionHash }) => String(transactionHash));
  return new Map([...byHash].map(([hash, own]) => [hash, innerOfList(own)]));
}

function ofTrees(result: unknown, { hashes }: TracedBlock): BlockTraces {
  const frames = Array.isArray(result) && result.length === hashes.length ? result.filter(isObject) : [];
  return new Map(
    frames.map((frame, index) => [String(frame.txHash ?? hashes[index]), innerOfTree(frame.result)]),
  );
}
