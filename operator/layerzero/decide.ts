import { lifecycleContext } from '../network/lifecycle/context.ts';
import { decideBy, lifecycleChecks } from '../network/lifecycle/lifecycle.ts';
import { failure, member, operation, wiring } from './checks.ts';
import type { LayerZeroCheck, LayerZeroDecision, LayerZeroFacts, Wiring } from './facts.ts';
import { wiringOf } from './wiring.ts';

/** Each is asked in this order; the first that has something to say decides. */
const checks: readonly LayerZeroCheck[] = [
  // deletion, idle stop, quota
  ...lifecycleChecks<LayerZeroFacts>({
    consequence: 'messages wait. Any use wakes it and its members',
    // Endpoints stay where they are for as long as the members run.
    isEnding: () => false,
  }),
  member,
  operation,
  failure,
  wiring,
];

/** Desired status, and what to do on the chains, from observed facts: a pure function. */
export function decide(observed: LayerZeroFacts): LayerZeroDecision {
  const context = lifecycleContext(observed);
  let known: Wiring | undefined;
  return {
    ...{ wakes: [], routes: [] },
    ...decideBy(checks, {
      ...context,
      wiring() {
        known ??= wiringOf(context);
        return known;
      },
    }),
  };
}
