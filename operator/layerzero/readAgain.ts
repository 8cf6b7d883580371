import type { ProgressStore } from '../../core/deploy/progress.ts';
import type { Step } from '../../core/deploy/step.ts';

/**
 * Progress in which no call counts as done: each call is verified again, and if its effect is missing, it is sent again
 * with a new idempotency key. Contracts keep their progress, because their code is verified anyway.
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
