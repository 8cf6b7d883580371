import type { ProgressStore } from '../../core/deploy/progress.ts';
import type { Step } from '../../core/deploy/step.ts';

/**
 * Progress in which no call is done: its reads are asked again, and where one does not hold, the call is made again
 * under its own idempotency key. Contracts stay what they are: their code is looked at in any case.
 */
export function readAgain(store: ProgressStore, steps: readonly Step[]): ProgressStore {
  const calls = new Set(steps.filter(({ kind }) => kind === 'call').map(({ name }) => name));
  return {
    async load(scope) {
      const entries = Object.entries(await store.load(scope)).map(([name, progress]) =>
        calls.has(name) && progress.state === 'mined'
          ? ([name, { attempt: progress.attempt + 1 }] as const)
          : ([name, progress] as const),
      );
      return Object.fromEntries(entries);
    },
    save: store.save,
  };
}
