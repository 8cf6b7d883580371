import { hashOf } from '../../core/lib/hash.ts';
import type { Outcome } from '../network/lifecycle/lifecycle.ts';
import { scopeOf } from './endpoints.ts';
import type {
  LayerZeroCheck,
  LayerZeroContext,
  LayerZeroDecision,
  LayerZeroFacts,
  LayerZeroOutcome,
} from './facts.ts';
import { wakesOf } from './members.ts';

/** How soon to check again: a blocker that may pass without an event, and one that needs a change by the user. */
const passingMs = 2_000;
const blockedMs = 60_000;

type State = Pick<Outcome, 'state' | 'reason' | 'message'>;

/** Reports a blocked member. The other members are connected nevertheless. */
export const member = defineCheck('member', (context) => {
  const { blockers } = context.wiring();
  // Blockers that need a change by the user come first.
  const blocker = blockers.find(({ isPassing }) => !isPassing) ?? blockers[0];
  return (
    blocker && {
      state: blocker.isPassing ? 'Pending' : 'Error',
      reason: blocker.reason,
      message: blocker.message,
    }
  );
});

export const operation = defineCheck('operation', (context) => {
  if (!context.wiring().isWired) return undefined;
  const message = ['running: messages are delivered', ...context.refusals].join('; ');
  return { state: 'Operational', reason: 'Operational', message };
});

export const failure = defineCheck('failure', (context) => {
  const { outcome } = context.wiring();
  if (outcome?.state !== 'failed') return undefined;
  return { state: 'Error', reason: 'WiringFailed', message: outcome.message ?? 'a step failed' };
});

export const wiring = defineCheck('wiring', (context) => {
  const { outcome } = context.wiring();
  const retried = outcome?.state === 'retry' ? outcome.message : undefined;
  const message = retried ?? 'connecting the members';
  return { state: 'Pending', reason: 'Provisioning', message };
});

/** A check for a running network. Whatever the state, the members that can be connected are connected. */
function defineCheck(name: string, find: (context: LayerZeroContext) => State | undefined): LayerZeroCheck {
  return {
    name,
    check(context) {
      const state = find(context);
      return state && { ...state, ...progressOf(context) };
    },
  };
}

function progressOf(context: LayerZeroContext): Omit<LayerZeroOutcome, keyof State> {
  const { observed, facts, writes } = context;
  const { endpoints, known, isSettled, isWired, order } = context.wiring();
  const named = endpoints.map(({ name, eid, endpoint = 'no endpoint yet' }) => `${name} ${eid} ${endpoint}`);
  return {
    progress: {
      step: stepOf(context),
      isDone: isWired,
      done: [`${facts.members.length} members`, named.join('; ')],
    },
    writes: {
      ...(isWired ? writes.ready : writes.starting),
      ...(isWired ? { enclaveID: hashOf(endpoints.map(scopeOf)).slice(0, 16) } : {}),
      endpoints: endpointsOf(facts),
      layerzero: known,
    },
    wakes: wakesOf(observed, writes.begun.lastWakeUpAt),
    ...(isSettled ? { settled: order } : { order }),
    routes: routesOf(context),
    requeueAfterMs: checkMsOf(context),
  };
}

function checkMsOf({ wiring, runDecision }: LayerZeroContext): number | undefined {
  const { blockers } = wiring();
  if (blockers.length > 0) return blockers.some(({ isPassing }) => isPassing) ? passingMs : blockedMs;
  return runDecision.kind === 'run' ? runDecision.idleCheckMs : undefined;
}

function stepOf(context: LayerZeroContext): 1 | 2 | 3 {
  const { endpoints } = context.wiring();
  if (endpoints.length < context.facts.members.length) return 1;
  return endpoints.every(({ endpoint }) => endpoint) ? 3 : 2;
}

function routesOf(context: LayerZeroContext): LayerZeroDecision['routes'] {
  const { order, endpoints } = context.wiring();
  const endOf = (id: string) => endpoints.find((one) => one.id === id && one.endpoint);
  return order.connections.flatMap((connection) => {
    const [from, to] = [endOf(connection.from), endOf(connection.to)];
    return from && to ? [{ from, to }] : [];
  });
}

/** Endpoints of the members, by `name-service`. */
function endpointsOf({ members }: LayerZeroFacts): Record<string, string> {
  return Object.fromEntries(
    members.flatMap(({ name, network }) =>
      ['rpc', 'ws'].flatMap((service) => {
        const url = network?.status?.endpoints?.[service];
        return url === undefined ? [] : [[`${name}-${service}`, url]];
      }),
    ),
  );
}
