/** Calls that execute contracts in an engine at the same time, for each replica. Together they must fit in its memory. */
export const maxComputing = 4;
/** Of them, those with one key of the network, so that the owner of a network never waits behind all who have its public URL. */
export const maxComputingOfKey = 3;
/** What the answers of all calls to a network may weigh that a replica has sent to its node, and those with one key. */
export const maxAnswers = 16;
export const maxAnswersOfKey = 12;

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
