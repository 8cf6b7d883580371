import { labels } from '../../../core/api/names.ts';
import { type DesiredStatus, lifecycleContext } from '../lifecycle/context.ts';
import { decideBy, lifecycleChecks } from '../lifecycle/lifecycle.ts';
import { engineIncarnationOf } from '../render/childNames.ts';
import { endpointsOf } from '../status/endpoints.ts';
import { blockers } from './checks/blockers.ts';
import { preparation } from './checks/preparation.ts';
import { run } from './checks/run.ts';
import type { Decision, NetworkCheck, NetworkContext, NetworkFacts, PlannedNetwork } from './facts.ts';
import { planNetwork } from './plan.ts';

/** Desired children and status from observed facts. Pure. */
export function decide(observed: NetworkFacts): Decision {
  const decision = decideBy(checks, contextOf(observed));
  return { ...decision, status: withCurrentUrls(observed, decision.status) };
}

/** A rotation replaces the URLs in every state of the network. */
function withCurrentUrls(facts: NetworkFacts, status: DesiredStatus): DesiredStatus {
  if (!status.endpoints) return status;
  return { ...status, endpoints: endpointsOf(Object.keys(status.endpoints), 'public', facts) };
}

/** In this order; the first check with an outcome decides. */
const checks: readonly NetworkCheck[] = [
  // deletion, idle stop, quota
  ...lifecycleChecks<NetworkFacts>({
    consequence: 'its data is deleted. Any request or spec change wakes it',
    isEnding: ({ pods }) => pods.length > 0,
  }),
  // availability, chain id, fork source, references
  ...blockers,
  preparation,
  run,
];

function contextOf(observed: NetworkFacts): NetworkContext {
  const context = lifecycleContext(observed);
  const { facts } = context;
  const incarnation = engineIncarnationOf(facts.network);
  let plan: PlannedNetwork | undefined;
  return {
    ...context,
    incarnation,
    engines: facts.pods.filter(({ metadata }) => metadata.labels?.[labels.incarnation] === incarnation),
    planned() {
      plan ??= planNetwork({ ...context, incarnation });
      return plan;
    },
  };
}
