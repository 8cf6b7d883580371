import { lifecycleContext } from '../network/lifecycle/context.ts';
import { decideBy, lifecycleChecks } from '../network/lifecycle/lifecycle.ts';
import { failure, member, operation, wiring } from './checks.ts';
import type { LayerZeroCheck, LayerZeroDecision, LayerZeroFacts, Wiring } from './facts.ts';
import { wiringOf } from './wiring.ts';

/** In this order; the first check with an outcome decides. */
const checks: readonly LayerZeroCheck[] = [
  // deletion, stop, quota
  ...lifecycleChecks<LayerZeroFacts>({
    consequence: () => 'messages wait. Any request or spec change wakes it and its members',
    // The endpoints remain deployed as long as the members run.
    isEnding: () => false,
  }),
  member,
  operation,
  failure,
  wiring,
];

/** Desired status and work on the chains from observed facts. Pure. */
export function decide(observed: LayerZeroFacts): LayerZeroDecision {
  const context = lifecycleContext(observed);
  let known: Wiring | undefined;
  return {
    wakes: [],
    routes: [],
    ...decideBy(checks, {
      ...context,
      wiring() {
        known ??= wiringOf(context);
        return known;
      },
    }),
  };
}
