import { isAnchored, newestOf } from '../../core/deploy/anchor.ts';
import type { RunResult } from '../../core/deploy/runner.ts';
import { compact } from '../../core/lib/compact.ts';
import type { LayerZeroDeps } from './deps.ts';
import { scopeOf } from './endpoints.ts';
import type { MemberEndpoint, Memory, WireOrder } from './facts.ts';

interface LookContext {
  deps: Pick<LayerZeroDeps, 'chainOf'>;
  signal: AbortSignal;
  /** Of the members. */
  namespace: string;
}

/** Whether the chain of each member still has its anchor; undefined for a member without one. */
function lookAt({ endpoints }: Pick<WireOrder, 'endpoints'>, { deps, namespace, signal }: LookContext) {
  return Promise.allSettled(
    endpoints.map(
      async ({ id, enclaveID, anchor }) =>
        anchor && isAnchored(deps.chainOf(id, { namespace, enclaveID, signers: {}, signal }), anchor),
    ),
  );
}

/**
 * Whether the chains still have everything that an order did there. Rejects with Unavailable when all chains that answer have
 * it and another one cannot be asked.
 */
export async function isIntact(order: Pick<WireOrder, 'endpoints'>, context: LookContext): Promise<boolean> {
  const looks = await lookAt(order, context);
  if (looks.some((look) => look.status === 'fulfilled' && !look.value)) return false;
  const silent = looks.find((look) => look.status === 'rejected');
  if (silent) throw silent.reason;
  return true;
}

/** Ids of the members whose chains no longer have their anchors. */
export async function findRolledBack(
  order: Pick<WireOrder, 'endpoints'>,
  context: LookContext,
): Promise<ReadonlySet<string>> {
  const looks = await lookAt(order, context);
  const gone = looks.map((look) => look.status === 'fulfilled' && look.value === false);
  return new Set(order.endpoints.filter((_, index) => gone[index]).map(({ id }) => id));
}

/** The former anchor of a member stays while its chain has it: it stands for what was done with members that are away. */
export function rememberAnchors(
  { endpoints }: Memory,
  order: Pick<WireOrder, 'endpoints'>,
  { outcomes, rolledBack }: Pick<RunResult, 'outcomes'> & { rolledBack: ReadonlySet<string> },
): void {
  for (const member of order.endpoints) {
    const known = endpoints.get(scopeOf(member));
    if (!known) continue;
    const { anchor: _, ...endpoint } = known;
    const anchors = [...outcomes].map(([id, outcome]) =>
      outcome.state === 'done' && id.startsWith(`${member.id}/`) ? outcome.anchor : undefined,
    );
    const former: MemberEndpoint['anchor'] = rolledBack.has(member.id) ? undefined : member.anchor;
    endpoints.set(scopeOf(member), { ...endpoint, ...compact({ anchor: newestOf([former, ...anchors]) }) });
  }
}
