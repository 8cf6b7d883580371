import fc from 'fast-check';
import { z } from 'zod';
import { readEnv } from '../../core/lib/env.ts';
import { addUser, beginQueueScene, endQueueScene } from './testing/queueScene.ts';
import { createSequence, type Step, someSteps } from './testing/sequences.ts';

/** A seed and a number of runs of its own find more: SEQUENCES=500 SEED=$RANDOM. */
const { SEQUENCES, SEED } = readEnv(
  z.object({ SEQUENCES: z.coerce.number().default(40), SEED: z.coerce.number().default(1) }),
);

test('whatever happens in whatever order, nothing false is said and nothing is mined twice', async () => {
  await fc.assert(
    fc.asyncProperty(someSteps, async (steps: Step[]) => {
      await beginQueueScene({ isPersistent: true });
      try {
        await addUser();
        const sequence = createSequence();
        for (const step of steps) await sequence.take(step);
        expect(await sequence.falsehoods()).toEqual([]);
      } finally {
        await endQueueScene();
      }
    }),
    { numRuns: SEQUENCES, seed: SEED, includeErrorInReport: true },
  );
});
