import type { FromStatus } from '../../../core/api/resources/snapshot.ts';
import type { NetworkFacts } from './facts.ts';

/** The snapshot that the chain of this incarnation begins from. A chain that has begun stays with its own. */
export function fromOf(
  { network, snapshot }: Pick<NetworkFacts, 'network' | 'snapshot'>,
  incarnation: string,
): FromStatus | undefined {
  const begun = network.status?.from;
  if (begun?.incarnation === incarnation) return begun;
  return network.spec.from && snapshot && 'from' in snapshot ? { incarnation, ...snapshot.from } : undefined;
}

/** What is wrong with the snapshot of a running chain, which needs it only to begin again. */
export function fromCaveats({ network, snapshot }: Pick<NetworkFacts, 'network' | 'snapshot'>): string[] {
  if (!network.status?.from || !snapshot || 'from' in snapshot) return [];
  return [`its chain cannot begin again: ${snapshot.refusal}`];
}
