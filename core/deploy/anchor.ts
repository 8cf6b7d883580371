import { z } from 'zod';
import type { anchorSchema } from '../api/common.ts';
import { read } from '../evm/answers.ts';
import type { ChainReader } from '../evm/chainReader.ts';
import type { RpcOutcome } from '../evm/rpc.ts';
import { toQuantity } from '../lib/text/quantity.ts';

/** A block of a chain: while the chain has it, nothing that was in it or before it has been undone. */
export type Anchor = z.infer<typeof anchorSchema>;

/** How often chains are asked whether they still have their anchors. */
export const lookMs = 15_000;

const blockSchema = z.looseObject({ hash: z.string() }).nullable();

/** Whether the chain still has the block. Rejects as the chain's `call` does. */
export async function isAnchored(chain: ChainReader, anchor: Anchor): Promise<boolean> {
  const { method, params } = anchorCall(anchor);
  return isAnchorIn(anchor, { result: await chain.call(method, params) });
}

/** Asks for the block at the number of an anchor. */
export const anchorCall = ({ block }: Pick<Anchor, 'block'>) => ({
  method: 'eth_getBlockByNumber',
  params: [toQuantity(block), false],
});

/** Whether the answer is the anchor's block. Throws when it is not an answer. */
export function isAnchorIn({ hash }: Anchor, answer: RpcOutcome | undefined): boolean {
  return read(blockSchema, answer)?.hash === hash;
}

/** A transaction that was in a block, as far as its block was stored. */
export interface Mined {
  hash?: string | undefined;
  block?: number | undefined;
  blockHash?: string | undefined;
}

/** The block of a transaction, whose node may no longer find the transaction itself; undefined when it is not on the chain. */
export async function findBlockOf(
  chain: ChainReader,
  { block, blockHash: hash }: Mined,
): Promise<Anchor | undefined> {
  if (block === undefined || hash === undefined) return undefined;
  return (await isAnchored(chain, { block, hash })) ? { block, hash } : undefined;
}

/** The one with the highest number; undefined when there is none. */
export function newestOf(anchors: Iterable<Anchor | undefined>): Anchor | undefined {
  let newest: Anchor | undefined;
  for (const one of anchors) if (one && one.block >= (newest?.block ?? 0)) newest = one;
  return newest;
}
