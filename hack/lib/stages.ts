import { formatDuration } from './format.ts';
import { say } from './progress.ts';

/** The stages of a long run, in their order. */
export interface Stages {
  /** Says that the next stage begins, how long the run has taken so far, and what comes after it. */
  next(): void;
}

interface StagesOptions {
  nowMs?: () => number;
  print?: (line: string) => void;
}

export function createStages(
  titles: readonly string[],
  { nowMs = Date.now, print = say }: StagesOptions = {},
): Stages {
  const startedMs = nowMs();
  let begun = 0;
  return {
    next() {
      const [title, ...left] = titles.slice(begun);
      begun += 1;
      const facts = [
        ...(begun > 1 ? [`after ${formatDuration(nowMs() - startedMs)}`] : []),
        ...(left.length > 0 ? [`then ${left.join(', ')}`] : []),
      ];
      print(`\n[${begun}/${titles.length}] ${title}${facts.length > 0 ? ` (${facts.join('; ')})` : ''}`);
    },
  };
}
