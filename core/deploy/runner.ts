import type { Interface } from 'ethers';
import { isAppError, messageOf } from '../lib/errors.ts';
import { createKnown, type KnownValues } from './known.ts';
import { performStep } from './perform.ts';
import type { TokenPorts } from './ports.ts';
import type { StepProgress } from './progress.ts';
import type { Known, Step, StepId } from './step.ts';

export interface RunInput {
  steps: readonly Step[];
  ports: TokenPorts;
  /** To tell why a contract refused. */
  abis: readonly Interface[];
  /** Steps that failed for good are tried again. */
  isRetrying?: boolean;
  /** No further step is begun. */
  signal?: AbortSignal;
  /** Told of each step that is done, with all that is known by then. */
  onDone?(step: Step, known: Known): void;
}

export type StepOutcome =
  | { state: 'done'; progress?: StepProgress }
  /** `retry`: may succeed by itself later. `failed`: not without a change. */
  | { state: 'retry' | 'failed'; message: string; cause?: unknown }
  | { state: 'blocked'; by: StepId };

export interface RunResult {
  known: KnownValues;
  /** By id of the step. */
  outcomes: ReadonlyMap<StepId, StepOutcome>;
}

/** Where one network's part of a run stands. */
export interface NetworkOutcome {
  state: 'done' | 'retry' | 'failed';
  /** Steps that are done, of all. */
  done: number;
  total: number;
  /** Of the step that stands in the way. */
  message?: string;
}

const idOf = (step: Step): StepId => `${step.network}/${step.name}`;

/**
 * Takes every step as soon as the steps that it comes after are done, so that networks go on side by side. A step that
 * fails holds up those after it, and no others. A run may end anywhere and be begun again: what was sent is known by
 * its idempotency key, and is not sent twice. Rejects only for steps that contradict each other.
 */
export async function runSteps(input: RunInput): Promise<RunResult> {
  const steps = new Map(input.steps.map((step) => [idOf(step), step]));
  const known = createKnown();
  const store = loadOnce(input.ports);
  const outcomes = new Map<StepId, StepOutcome>();
  const begun = new Map<StepId, Promise<StepOutcome>>();

  function outcomeOf(id: StepId): Promise<StepOutcome> {
    const running = begun.get(id) ?? begin(id);
    begun.set(id, running);
    return running;
  }

  async function begin(id: StepId): Promise<StepOutcome> {
    const step = steps.get(id);
    if (!step) throw new Error(`no such step: ${id}`);
    const outcome = await attempt(step);
    outcomes.set(id, outcome);
    if (outcome.state === 'done') input.onDone?.(step, known);
    return outcome;
  }

  async function attempt(step: Step): Promise<StepOutcome> {
    const before = await Promise.all(step.after.map(outcomeOf));
    const by = step.after[before.findIndex(({ state }) => state !== 'done')];
    if (by !== undefined) return { state: 'blocked', by };
    if (input.signal?.aborted) return { state: 'retry', message: `${step.title}: was interrupted` };
    try {
      return { state: 'done', ...(await performStep(step, { ...input, store, known })) };
    } catch (error) {
      const state = isAppError(error) && !error.isRetryable ? 'failed' : 'retry';
      return { state, message: `${step.title}: ${messageOf(error)}`, cause: error };
    }
  }

  checkOrder(steps);
  await recall(input.steps, store, known);
  await Promise.all([...steps.keys()].map(outcomeOf));
  return { known, outcomes };
}

/** Each scope is read once a run. */
function loadOnce({ progress }: TokenPorts) {
  const loaded = new Map<string, Promise<Readonly<Record<string, StepProgress>>>>();
  return {
    async find(scope: string, step: string): Promise<StepProgress | undefined> {
      const steps = loaded.get(scope) ?? progress.load(scope);
      loaded.set(scope, steps);
      return (await steps)[step];
    },
    save: progress.save,
  };
}

type Store = ReturnType<typeof loadOnce>;

/** What earlier runs deployed is known from the start. */
async function recall(steps: readonly Step[], store: Store, known: KnownValues): Promise<void> {
  await Promise.all(
    steps.map(async (step) => {
      if (step.kind !== 'create') return;
      const address = (await store.find(step.scope, step.name))?.address;
      if (address) known.set(step.network, step.name, address);
    }),
  );
}

/** Throws when a step comes after itself or after one that is not there: it would never be taken. */
function checkOrder(steps: ReadonlyMap<StepId, Step>): void {
  const settled = new Set<StepId>();
  const visit = (id: StepId, path: readonly StepId[]): void => {
    if (settled.has(id)) return;
    if (path.includes(id)) throw new Error(`steps wait for each other: ${[...path, id].join(' → ')}`);
    const step = steps.get(id);
    if (!step) throw new Error(`no such step: ${id}`);
    for (const before of step.after) visit(before, [...path, id]);
    settled.add(id);
  };
  for (const id of steps.keys()) visit(id, []);
}

/** What a run came to on one network; the network of a step that others wait for is named. */
export function summarise(network: string, steps: readonly Step[], { outcomes }: RunResult): NetworkOutcome {
  const own = steps.filter((step) => step.network === network).map((step) => outcomes.get(idOf(step)));
  const done = own.filter((outcome) => outcome?.state === 'done').length;
  const progress = { done, total: own.length };
  const failed = own.find((outcome) => outcome?.state === 'failed');
  if (failed && 'message' in failed) return { state: 'failed', ...progress, message: failed.message };
  const retried = own.find((outcome) => outcome?.state === 'retry');
  if (retried && 'message' in retried) return { state: 'retry', ...progress, message: retried.message };
  const blocked = own.find((outcome) => outcome?.state === 'blocked');
  if (blocked && 'by' in blocked) {
    return { state: 'retry', ...progress, message: `waits for network ${blocked.by.split('/')[0]}` };
  }
  return { state: 'done', ...progress };
}
