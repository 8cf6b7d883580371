import { z } from 'zod';
import { compact } from '../lib/compact.ts';
import { read } from './answers.ts';
import type { ChainReader } from './chainReader.ts';
import type { EvmRpc } from './rpc.ts';

const transactionSchema = z.looseObject({ input: z.string(), to: z.string().nullish() }).nullable();

interface SentTransaction {
  data: string;
  /** Absent: it creates a contract. */
  to?: string;
}

/** A transaction that a node has in a block or in its pool; undefined when it does not know it. */
export async function readTransaction(
  chain: ChainReader,
  hash: string,
): Promise<SentTransaction | undefined> {
  const result = await chain.call('eth_getTransactionByHash', [hash]);
  const found = read(transactionSchema, { result });
  return found ? { data: found.input, ...compact({ to: found.to ?? undefined }) } : undefined;
}

/** Whether a node has a transaction, in a block or in its pool. */
export async function isKnownTransaction(chain: ChainReader, hash: string): Promise<boolean> {
  return (await readTransaction(chain, hash)) !== undefined;
}

/** Which of the transactions a node has, in a block or in its pool. */
export async function areKnown(rpc: EvmRpc, hashes: readonly string[]): Promise<boolean[]> {
  const calls = hashes.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] }));
  const outcomes = await rpc.batch(calls);
  return outcomes.map((outcome) => read(z.looseObject({}).nullable(), outcome) !== null);
}
