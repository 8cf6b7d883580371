import type { ChainType } from '../../../core/api/resources/chainSpecs.ts';

/** The steps of provisioning, counted from 1. */
const steps = [
  'resolve keys and sources',
  'write the genesis',
  'start the engine',
  'wait for the first answer',
] as const;
export type Step = 1 | 2 | 3 | 4;
/** What a LayerZero network is made of instead. */
export const layerZeroSteps = [
  'find the members',
  'deploy endpoints and message libraries',
  'open the connections and read them back',
] as const;

/** The steps of a network of this type. */
export const stepsOf = (type: ChainType): readonly string[] =>
  type === 'LayerZero' ? layerZeroSteps : steps;

interface Progress {
  step: Step;
  isDone?: boolean;
  /** What the first steps found out. */
  done: string[];
  note?: string;
  problem?: string;
  titles?: readonly string[];
}

const maxOutput = 4096;

/** status.execution: where provisioning is, with one line for each step so far. */
export function renderProgress({ step, isDone = false, done, note, problem, titles = steps }: Progress) {
  const lines = titles.slice(0, step).map((title, index) => {
    const isPast = index + 1 < step || isDone;
    const detail = done[index] === undefined || !isPast ? '' : `: ${done[index]}`;
    return `${index + 1}/${titles.length} ${title}${isPast ? detail : ' …'}${isPast ? ' — done' : ''}`;
  });
  if (problem) lines.push(`failed: ${problem}`);
  if (note && !isDone) lines.push(note);
  return { currentStep: step, totalSteps: titles.length, output: lines.join('\n').slice(0, maxOutput) };
}
