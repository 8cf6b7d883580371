import { z } from 'zod';
import type { anchorSchema } from '../api/common.ts';
import { read } from '../evm/answers.ts';
import type { ChainReader } from '../evm/chainReader.ts';

/** A block of a chain: while the chain has it, nothing that was in it or before it has been undone. */
export type Anchor = z.infer<typeof anchorSchema>;

/** How often chains are asked whether they still have their anchors. */
export const lookMs = 15_000;

const blockSchema = z.looseObject({ hash: z.string() }).nullable();

/** Whether the chain still has the block. Rejects as the chain's `call` does. */
export async function isAnchored(chain: ChainReader, { block, hash }: Anchor): Promise<boolean> {
  const result = await chain.call('eth_getBlockByNumber', [`0x${block.toString(16)}`, false]);
  return read(blockSchema, { result })?.hash === hash;
}

/** The one with the highest number; undefined when there is none. */
export function newestOf(anchors: Iterable<Anchor | undefined>): Anchor | undefined {
  let newest: Anchor | undefined;
  for (const one of anchors) if (one && one.block >= (newest?.block ?? 0)) newest = one;
  return newest;
}
