import { maxComputingOfKey } from '../../gateway/light/computing.ts';
import { maxAnswersOfKey } from '../../gateway/policy/answerWeights.ts';

/** What calls take of what a node can do at a time. */
export interface NodeWork {
  /** How many execute contracts. */
  computing: number;
  /** What their answers weigh: a node has an answer whole before it sends it, and until it has sent all of it. */
  answers: number;
}

export const noWork: NodeWork = { computing: 0, answers: 0 };

export const plus = (one: NodeWork, other: NodeWork): NodeWork => ({
  computing: one.computing + other.computing,
  answers: one.answers + other.answers,
});

export const isWork = ({ computing, answers }: NodeWork): boolean => computing + answers > 0;

/** Whether a node may have calls in one message. */
export const fitsAtOnce = ({ computing, answers }: NodeWork): boolean =>
  computing <= maxComputingOfKey && answers <= maxAnswersOfKey;
