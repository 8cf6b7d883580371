/** The steps of provisioning, counted from 1. */
export const steps = [
  'resolve keys and sources',
  'write the genesis',
  'start the engine',
  'wait for the first answer',
] as const;
export type Step = 1 | 2 | 3 | 4;

interface Progress {
  step: Step;
  isDone?: boolean;
  /** What the first steps found out. */
  done: string[];
  note?: string;
  problem?: string;
}

const maxOutput = 4096;

/** status.execution: where provisioning is, with one line for each step so far. */
export function renderProgress({ step, isDone = false, done, note, problem }: Progress) {
  const lines = steps.slice(0, step).map((title, index) => {
    const isPast = index + 1 < step || isDone;
    const detail = done[index] === undefined || !isPast ? '' : `: ${done[index]}`;
    return `${index + 1}/${steps.length} ${title}${isPast ? detail : ' …'}${isPast ? ' — done' : ''}`;
  });
  if (problem) lines.push(`failed: ${problem}`);
  if (note && !isDone) lines.push(note);
  return { currentStep: step, totalSteps: steps.length, output: lines.join('\n').slice(0, maxOutput) };
}
