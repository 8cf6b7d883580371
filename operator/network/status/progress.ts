import type { ChainType } from '../../../core/api/resources/chainSpecs.ts';
import type { NetworkState } from '../../../core/api/resources/networkStatus.ts';

const engineSteps = [
  'resolve keys and sources',
  'write the genesis',
  'start the engine',
  'wait for the first answer',
] as const;
const layerZeroSteps = [
  'find the members',
  'deploy endpoints and message libraries',
  'open the connections and verify them',
] as const;

/** The provisioning steps of a network of this type. Steps are numbered from 1. */
export const stepsOf = (type: ChainType): readonly string[] =>
  type === 'LayerZero' ? layerZeroSteps : engineSteps;

type Step = 1 | 2 | 3 | 4;

/** The progress of provisioning. */
export interface Progress {
  step: Step;
  isDone?: boolean;
  /** Results of the completed steps. */
  done: string[];
}

const maxOutput = 4096;

/** status.execution: the progress of provisioning, with one line for each step so far. */
export function renderProgress(
  type: ChainType,
  { step, isDone = false, done, state, message }: Progress & { state: NetworkState; message: string },
) {
  const titles = stepsOf(type);
  const lines = titles.slice(0, step).map((title, index) => {
    const isPast = index + 1 < step || isDone;
    const detail = done[index] === undefined || !isPast ? '' : `: ${done[index]}`;
    return `${index + 1}/${titles.length} ${title}${isPast ? detail : ' …'}${isPast ? ' — done' : ''}`;
  });
  if (!isDone) lines.push(state === 'Error' ? `failed: ${message}` : message);
  return { currentStep: step, totalSteps: titles.length, output: lines.join('\n').slice(0, maxOutput) };
}
