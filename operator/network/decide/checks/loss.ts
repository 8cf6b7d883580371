import { begin } from '../chain.ts';
import { lostCopiesOf, namesOf } from '../copies.ts';
import type { NetworkCheck } from '../facts.ts';
import { reasonOfPhase } from '../podState.ts';

const beginMs = 500;

/**
 * A node that lost its data gets it back from its peers. Once none is left that has it, the others cannot go on without it: the
 * next chain begins, with a genesis of its own. Volumes are left to people: somebody may have restored what is on them.
 */
export const loss: NetworkCheck = {
  name: 'loss',
  check(context) {
    const { facts } = context.planned();
    const lost = lostCopiesOf(context);
    if (!lost || facts.network.status?.storage !== 'Pod') return undefined;
    const cause = describeLoss(lost);
    return {
      state: 'Pending',
      reason: reasonOfPhase.dead,
      requeueAfterMs: beginMs,
      message: `${cause}: a new chain begins`,
      writes: { ...context.writes.begun, ...begin(facts, cause) },
      isChainGone: true,
    };
  },
};

function describeLoss(parts: readonly string[]): string {
  const names = namesOf(parts);
  if (parts.length === 1) return `the pod of ${names} was replaced, and no other one has its data`;
  return `the pods of ${names} were replaced, and no other one has their data`;
}
