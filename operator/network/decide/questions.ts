import type { EnginePlan, HeadCall, ReadinessCall } from '../../../core/chains/driver.ts';
import type { Launch } from '../../warm/adopted.ts';
import type { LaunchOutcome, Question } from '../../warm/launcher.ts';

/** `isPassing`: it was not even asked, because others are asking. */
export type ForkHead = { block: number } | { problem: string; isPassing?: boolean };

/** What a decision can depend on that is in no cache. */
export interface Questions {
  /** Whether adopted pods become engines with these plans. */
  launch: { launches: Launch[]; question: Question };
  /** The id of the process that answers at this URL. */
  process: string;
  /** The latest block of the fork source at this URL. */
  forkHead: { source: string; call: HeadCall };
  /** Whether the engine answers this call, and has the same blocks as its peers, which are named by their services. */
  readiness: { call: ReadinessCall; peers: readonly string[] };
  /** Whether the running engine takes over changed values with these calls. */
  adjust: NonNullable<EnginePlan['settings']>;
  /** The last block of the chain that the decision ends. */
  lastBlock: HeadCall;
}

/** A question without an answer was not asked, or nobody answered it. */
export interface Answers {
  launch?: LaunchOutcome | undefined;
  process?: string | undefined;
  forkHead?: ForkHead | undefined;
  readiness?: boolean | undefined;
  adjust?: boolean | undefined;
  lastBlock?: number | undefined;
}

export type QuestionName = keyof Questions;
