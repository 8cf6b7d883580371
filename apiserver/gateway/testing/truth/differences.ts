import { answerDifferences } from './differences/answers.ts';
import type { Difference } from './differences/difference.ts';
import { leniences } from './differences/leniences.ts';
import { additions, refusals } from './differences/refusals.ts';

/** The documented differences between the light engine, as the gateway serves it, and geth: docs/light-engine.md has them. */
export const differenceSections: readonly { title: string; differences: readonly Difference[] }[] = [
  { title: 'Other answers', differences: answerDifferences },
  { title: 'Refused, where geth answers', differences: refusals },
  { title: 'Answered, where geth refuses', differences: leniences },
  { title: 'Methods that geth does not have', differences: additions },
];
