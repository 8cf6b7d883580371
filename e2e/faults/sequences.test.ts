import fc from 'fast-check';
import { z } from 'zod';
import { readEnv } from '../../core/lib/env.ts';
import { readDefaultKey } from '../lib/accounts.ts';
import { rolledOut } from '../lib/components.ts';
import { createSequence, type Step, someSteps } from './sequence.ts';

/** A seed and a number of runs of its own find more: SEQUENCES=100 SEED=$RANDOM. */
const { SEQUENCES, SEED } = readEnv(
  z.object({ SEQUENCES: z.coerce.number().default(30), SEED: z.coerce.number().default(1) }),
);

afterAll(() => rolledOut());

test('whatever happens to a network and the service, nothing false is said and nothing is mined twice', async () => {
  const { address } = await readDefaultKey();
  await fc.assert(
    fc.asyncProperty(fc.boolean(), someSteps, async (isPersistent, steps: Step[]) => {
      await rolledOut();
      const sequence = await createSequence(address, isPersistent);
      try {
        for (const step of steps) await sequence.take(step);
        expect(await sequence.falsehoods()).toEqual([]);
      } finally {
        await sequence.end();
      }
    }),
    { numRuns: SEQUENCES, seed: SEED, includeErrorInReport: true, endOnFailure: true },
  );
});
