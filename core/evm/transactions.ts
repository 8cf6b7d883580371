import { z } from 'zod';
import type { ChainReader } from './chainReader.ts';
import { read } from './chainState.ts';

const transactionSchema = z.looseObject({ input: z.string() }).nullable();

/** The data of a transaction that a node has in a block or in its pool; undefined when it does not know it. */
export async function readTransactionData(chain: ChainReader, hash: string): Promise<string | undefined> {
  const result = await chain.call('eth_getTransactionByHash', [hash]);
  return read(transactionSchema, { result })?.input;
}

/** Whether a node has a transaction, in a block or in its pool. */
export async function isKnownTransaction(chain: ChainReader, hash: string): Promise<boolean> {
  return (await readTransactionData(chain, hash)) !== undefined;
}
