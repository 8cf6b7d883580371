import fc from 'fast-check';
import { z } from 'zod';
import { readEnv } from '../../core/lib/env.ts';
import { type ChainScene, createChainScene } from '../../core/outbox/testing/scene.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import { startTokenOperator, type TokenOperator } from './testing/operator.ts';
import { startOutboxOperator } from './testing/outbox.ts';
import { createSequence, type Step, someSteps } from './testing/sequences.ts';

/** A seed and a number of sequences of its own find more: SEQUENCES=200 SEED=$RANDOM. */
const { SEQUENCES, SEED, AT_ONCE } = readEnv(
  z.object({
    SEQUENCES: z.coerce.number().default(24),
    SEED: z.coerce.number().default(1),
    AT_ONCE: z.coerce.number().default(6),
  }),
);

const kube = createTestKube();
let scene: ChainScene;
let operator: TokenOperator;
let outbox: { stop(): Promise<void> };

beforeEach(async () => {
  scene = await createChainScene(kube);
  operator = await startTokenOperator(kube, scene);
  outbox = await startOutboxOperator(kube, scene, operator.deps, operator.deps.signers.serviceOf);
});
afterEach(async () => {
  await outbox.stop();
  await operator.stop();
  await scene.stop();
});
afterAll(() => kube.close());

/** They wait for most of their time, so several run at once. */
const groups = Array.from({ length: Math.ceil(SEQUENCES / AT_ONCE) }, (_, index) => ({
  seed: SEED + index,
  count: Math.min(AT_ONCE, SEQUENCES - index * AT_ONCE),
}));

test.each(groups)(
  'whatever happens to $count cross-chain tokens of seed $seed, none says Deployed where it is not, and the remedy works',
  async ({ seed, count }) => {
    const found = await Promise.all(
      fc.sample(someSteps, { numRuns: count, seed }).map(async (steps: Step[]) => {
        const sequence = await createSequence({ kube, scene, operator });
        for (const step of steps) await sequence.take(step);
        const falsehoods = await sequence.falsehoods();
        return falsehoods.length > 0 ? [{ steps: stepsInWords(steps), falsehoods }] : [];
      }),
    );
    expect(found.flat()).toEqual([]);
  },
);

const stepsInWords = (steps: readonly Step[]) => steps.map((step) => `${step.do} ${step.on}`).join(', ');
