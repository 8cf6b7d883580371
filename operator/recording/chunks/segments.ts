import { parseLine } from '../../../core/recordings/recordedLines.ts';

/** About how much text a segment has. A block with more is a segment of its own. */
const usualText = 128_000;
/** The longest segment if no block ends it. Packed, it fits into a chunk. */
const longestText = 400_000;

/** The captured transactions of one block. */
interface BlockLines {
  hash: string;
  lines: string[];
  length: number;
}

/**
 * Cuts captured lines before blocks that are chosen by their own hashes, with a probability that grows with their text. So
 * recordings of a wallet that began at different blocks soon cut at the same ones, and the text between two cuts is the same in
 * all of them.
 */
export function segmentsOf(lines: readonly string[]): string[][] {
  const segments: string[][] = [];
  let length = longestText;
  for (const block of blocksOf(lines)) {
    if (isDrawn(block) || length + block.length > longestText) {
      segments.push([]);
      length = 0;
    }
    for (const line of block.lines) segments.at(-1)?.push(line);
    length += isLarge(block) ? longestText : block.length;
  }
  return segments;
}

/** Whether these lines are complete: they end with a cut, or contain one, as older versions stored them. */
export function isWhole(lines: readonly string[]): boolean {
  const last = blocksOf(lines).at(-1);
  return last !== undefined && (isLarge(last) || segmentsOf(lines).length > 1);
}

function isLarge({ length }: BlockLines): boolean {
  return length >= usualText;
}

function isDrawn({ hash, length }: BlockLines): boolean {
  return Number.parseInt(hash.slice(2, 10), 16) / 2 ** 32 < length / usualText;
}

function blocksOf(lines: readonly string[]): BlockLines[] {
  const blocks: BlockLines[] = [];
  for (const line of lines) {
    const { block_hash: hash } = parseLine(line);
    const last = blocks.at(-1);
    const block = last?.hash === hash ? last : { hash, lines: [], length: 0 };
    if (block !== last) blocks.push(block);
    block.lines.push(line);
    block.length += line.length;
  }
  return blocks;
}
