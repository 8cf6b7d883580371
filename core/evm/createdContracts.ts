import { getCreateAddress } from 'ethers';
import { inHalves } from './inHalves.ts';
import { isTooLong } from './readCapped.ts';
import { type EvmRpc, longAnswer, rpcErrorOf } from './rpc.ts';
import { createTracing, type InnerTrace, innerOfList, innerOfTree, type TraceDialect } from './traces.ts';

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
   * transaction itself creates; undefined when the node has no traces, or one that is too long to be read. Unavailable when the node is
   * not reached.
   */
  createdBy(hashes: readonly string[]): Promise<(string[] | undefined)[]>;
}

/** The tracing API of OpenEthereum (anvil, erigon, reth, nethermind, besu), and that of geth. */
const dialects: readonly TraceDialect<string, InnerTrace[]>[] = [
  { callOf: (hash) => ({ method: 'trace_transaction', params: [hash] }), read: innerOfList },
  {
    callOf: (hash) => ({ method: 'debug_traceTransaction', params: [hash, { tracer: 'callTracer' }] }),
    read: innerOfTree,
  },
];

/** Remembers which tracing API the node supports. */
export function createCreationTracer(rpc: Pick<EvmRpc, 'batch'>): CreationTracer {
  const trace = createTracing(dialects);
  const ask = async (hashes: readonly string[]): Promise<(string[] | undefined)[]> => {
    const isOne = hashes.length === 1;
    const traced = await trace(rpc, hashes, isOne ? longAnswer : {});
    if (!traced) return hashes.map(() => undefined);
    return traced.outcomes.map((outcome, index) => {
      if ('result' in outcome) return createdIn(traced.dialect.read(outcome.result, hashes[index] ?? ''));
      if (rpcErrorOf(outcome.error) || (isOne && isTooLong(outcome.error))) return undefined;
      throw outcome.error;
    });
  };
  return { createdBy: async (hashes) => (hashes.length === 0 ? [] : inHalves(hashes, ask)) };
}

const creations = ['CREATE', 'CREATE2'];

function createdIn(inner: readonly InnerTrace[]): string[] {
  return inner.filter(({ type }) => creations.includes(type)).map(({ to }) => to);
}
