import { inGwei, percentOf, whole } from '../../amounts.ts';
import { texts as explorer } from '../../texts.ts';
import type { Block } from '../model.ts';
import { texts } from './texts.ts';

/** What a chart shows of a block. */
export interface Point {
  number: bigint;
  /** What it is drawn by; zero or more. */
  size: number;
  /** As short as it can be said. */
  short: string;
  /** In full. */
  text: string;
}

export interface Series {
  label: string;
  /** The oldest first. */
  points: readonly Point[];
}

/** A fee has up to nine decimals, too many for a summary. */
const fewDigits = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

/** The charts of these blocks, the newest of which is first. A chain without a base fee has no chart of it. */
export function seriesOf(blocks: readonly Block[]): Series[] {
  const all = blocks.toReversed();
  return [
    { label: texts.gas, points: all.map(gasOf) },
    { label: texts.transactions, points: all.map(transactionsOf) },
    { label: texts.baseFee, points: all.flatMap((block) => baseFeeOf(block) ?? []) },
  ].filter(({ points }) => points.length > 0);
}

function gasOf({ number, gasUsed, gasLimit }: Block): Point {
  const size = gasLimit === 0n ? 0 : Number(gasUsed) / Number(gasLimit);
  const short = percentOf(gasUsed, gasLimit);
  return { number, size, short, text: explorer.gasOf(whole(gasUsed), whole(gasLimit), short) };
}

function transactionsOf({ number, transactions: { length } }: Block): Point {
  const short = whole(length);
  return { number, size: length, short, text: texts.count(short) };
}

function baseFeeOf({ number, baseFee }: Block): Point | undefined {
  if (baseFee === undefined) return undefined;
  const size = Number(baseFee);
  return { number, size, short: fewDigits.format(size / 1e9), text: `${inGwei(baseFee)} ${explorer.gwei}` };
}

/** The least, the most and the newest of a chart, in words. */
export function summaryOf(points: readonly Point[]): string {
  const bySize = points.toSorted((one, other) => one.size - other.size);
  const [least, most, newest] = [bySize[0], bySize.at(-1), points.at(-1)];
  return texts.summary({
    least: least?.short ?? '',
    most: most?.short ?? '',
    newest: newest?.short ?? '',
  });
}

/** Of 100, the height of the highest. What is more than nothing can be seen. */
export function heightsOf(points: readonly Point[]): number[] {
  const most = Math.max(0, ...points.map(({ size }) => size));
  return points.map(({ size }) => (size > 0 ? Math.max(2, (100 * size) / most) : 0));
}
