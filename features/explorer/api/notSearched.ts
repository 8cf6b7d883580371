import type { Covered } from './history.ts';

const numeral = (number: string | number | bigint) => BigInt(number).toLocaleString('en');

/** What a list of an account may lack by what its answer says was searched: sentences. `isAtEnd` says that no page follows. */
export function notSearched({ first, from, untraced }: Covered, isAtEnd: boolean): string[] {
  const older =
    isAtEnd && BigInt(from) > BigInt(first)
      ? [
          `Blocks ${numeral(first)} to ${numeral(BigInt(from) - 1n)} were not searched: the index does not reach further back.`,
        ]
      : [];
  const calls =
    untraced > 0
      ? [
          `The node has no traces of ${numeral(untraced)} of these blocks: calls within their transactions are missing.`,
        ]
      : [];
  return [...older, ...calls];
}
