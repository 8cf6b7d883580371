import type { Interface } from 'ethers';
import { isAppError, messageOf } from '../lib/errors.ts';
import { childSpan } from '../tracing/spans.ts';
import type { Anchor } from './anchor.ts';
import { createKnown, type KnownValues } from './known.ts';
import { performStep } from './perform.ts';
import type { TokenPorts } from './ports.ts';
import type { StepProgress } from './progress.ts';
import type { Repeats } from './runContext.ts';
import type { Known, Step, StepId } from './step.ts';

export interface RunInput {
  steps: readonly Step[];
  ports: TokenPorts;
  /** To explain why a contract refused. */
  abis: readonly Interface[];
  /** What is attempted again on a network; nothing when absent. */
  repeats?(network: string): Repeats;
  /** Once aborted, no further step is started. */
  signal?: AbortSignal;
  /** Called for each step that is done, with everything known by then, and the block of its transaction if it has one. */
  onDone?(step: Step, known: Known, anchor: Anchor | undefined): void;
}

export type StepOutcome =
  | { state: 'done'; progress?: StepProgress; anchor?: Anchor }
  /** `retry`: may succeed later by itself. `failed`: only after something changes. */
  | { state: 'retry' | 'failed'; message: string; cause?: unknown }
  | { state: 'blocked'; by: StepId };

export interface RunResult {
  known: KnownValues;
  /** By id of the step. */
  outcomes: ReadonlyMap<StepId, StepOutcome>;
}

/** The state of a run on one network. */
export interface NetworkOutcome {
  state: 'done' | 'retry' | 'failed';
  /** Steps that are done, out of `total`. */
  done: number;
  total: number;
  /** From the step that blocks the others. */
  message?: string;
}

const nothing: Repeats = { failed: false, undone: false, remedy: 'request it again' };

const spanOf = ({ name }: Step) =>
  ({ name: 'step', kind: 'internal', attributes: { 'slipway.step': name } }) as const;
const idOf = (step: Step): StepId => `${step.network}/${step.name}`;

/**
 * Performs every step as soon as the steps before it are done, so that networks proceed in parallel. A step that fails
 * blocks those that depend on it and no others. A run may be interrupted anywhere and started again: transactions are
 * identified by their idempotency keys and never sent twice. Rejects only when the steps contradict each other.
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
    if (outcome.state === 'done') input.onDone?.(step, known, outcome.anchor);
    return outcome;
  }

  async function attempt(step: Step): Promise<StepOutcome> {
    const before = await Promise.all(step.after.map(outcomeOf));
    const by = step.after[before.findIndex(({ state }) => state !== 'done')];
    if (by !== undefined) return { state: 'blocked', by };
    if (input.signal?.aborted) return { state: 'retry', message: `${step.title}: interrupted` };
    try {
      const repeats = input.repeats?.(step.network) ?? nothing;
      const performed = () => performStep(step, { ...input, repeats, store, known });
      return { state: 'done', ...(await childSpan(spanOf(step), performed)) };
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

/** Reads each scope once in a run. */
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

/** Contracts that earlier runs deployed are known from the start. */
async function recall(steps: readonly Step[], store: Store, known: KnownValues): Promise<void> {
  await Promise.all(
    steps.map(async (step) => {
      if (step.kind !== 'create') return;
      const address = (await store.find(step.scope, step.name))?.address;
      if (address) known.set(step.network, step.name, address);
    }),
  );
}

/** Throws when a step depends on itself or on a missing step: it would never be performed. */
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

/** The outcome of a run on one network. When it waits for a step elsewhere, the message names that network. */
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
    return { state: 'retry', ...progress, message: `waiting for network ${blocked.by.split('/')[0]}` };
  }
  return { state: 'done', ...progress };
}
