import { compact } from '../../core/lib/compact.ts';
import { hashOf } from '../../core/lib/hash.ts';
import type { LifecycleContext } from '../network/lifecycle/context.ts';
import { type MemberEndpoints, placeMembers, scopeOf } from './endpoints.ts';
import type { LayerZeroFacts, MemberEndpoint, WireOrder, Wiring } from './facts.ts';
import { blockerOf } from './members.ts';

type Context = LifecycleContext<LayerZeroFacts>;

/** What exists on the chains of the running members, and what remains to be done. */
export function wiringOf(context: Context): Wiring {
  const { facts, maintenance } = context;
  const blockers = facts.members.flatMap((member) => blockerOf(member, facts) ?? []);
  const running = facts.members.filter((member) => !blockerOf(member, facts));
  const isReset = maintenance.kind === 'reset' && maintenance.isNew;
  const placed = placeMembers(facts, { running, isReset });
  const order = orderOf(context, placed);
  const isSettled = isDone(facts, placed, order);
  const isWired = blockers.length === 0 && isSettled;
  const outcome = facts.memory.outcome?.key === order.key ? facts.memory.outcome : undefined;
  const { wired: before, ...members } = placed.known;
  // A failure invalidates what was verified: the next operator must not rely on it.
  const wired = isWired ? planHashOf(order) : outcome?.state === 'failed' ? undefined : before;
  return {
    blockers,
    order,
    isSettled,
    isWired,
    endpoints: placed.endpoints,
    outcome,
    known: { ...members, ...compact({ wired }) },
  };
}

/** The work that remains between the running members. */
function orderOf({ facts, maintenance }: Context, { endpoints, unverified }: MemberEndpoints): WireOrder {
  const { connections = pairsOf(endpoints) } = facts.network.spec.chain.layerzero ?? {};
  const idOf = (name: string) => endpoints.find((endpoint) => endpoint.name === name)?.id;
  const between = connections.flatMap((connection) => {
    const [from, to] = [idOf(connection.from), idOf(connection.to)];
    return from !== undefined && to !== undefined ? [{ from, to }] : [];
  });
  const restart = maintenance.kind === 'restart' ? maintenance.number : 0;
  const isCheck = restart > 0;
  const plan = { endpoints, connections: between, unverified, isCheck };
  return { ...plan, key: hashOf([planHashOf(plan), unverified, restart]) };
}

function pairsOf(endpoints: readonly MemberEndpoint[]): { from: string; to: string }[] {
  return endpoints.flatMap(({ name: from }) =>
    endpoints.filter(({ name }) => name !== from).map(({ name: to }) => ({ from, to })),
  );
}

/** Changes with the endpoints and the connections between them. */
function planHashOf({ endpoints, connections }: Pick<WireOrder, 'endpoints' | 'connections'>): string {
  return hashOf([endpoints.map((endpoint) => [scopeOf(endpoint), endpoint.eid]), connections]);
}

/** Whether the chains are as desired, according to a run or to the status written by a previous operator. */
function isDone(
  { memory: { outcome } }: LayerZeroFacts,
  { endpoints, known }: MemberEndpoints,
  order: WireOrder,
): boolean {
  if (order.unverified.length > 0 || endpoints.some(({ endpoint }) => !endpoint)) return false;
  if (outcome?.key === order.key) return outcome.state === 'done';
  return !order.isCheck && known.wired === planHashOf(order);
}
