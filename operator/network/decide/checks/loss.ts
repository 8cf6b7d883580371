import { labels } from '../../../../core/api/names.ts';
import type { KubeObject } from '../../../../core/api/resources/kubeObject.ts';
import type { EnginePart } from '../../../../core/chains/driver.ts';
import { parseRfc3339 } from '../../../../core/lib/clock.ts';
import { engineMeta } from '../../render/childNames.ts';
import { readyOf } from '../../status/ready.ts';
import { begin } from '../chain.ts';
import { isOnlyCopy } from '../copies.ts';
import type { NetworkCheck, NetworkContext, PlannedNetwork } from '../facts.ts';
import { reasonOfPhase } from '../podState.ts';

const beginMs = 500;

/**
 * A node that lost its data gets it back from its peers. A part without any cannot, and the others cannot go on without it:
 * the next chain begins, with a genesis of its own. Volumes are left to people: somebody may have restored what is on them.
 */
export const loss: NetworkCheck = {
  name: 'loss',
  check(context) {
    const planned = context.planned();
    const { facts, plan } = planned;
    const sinceMs = lastOperationalMs(planned);
    if (sinceMs === undefined || facts.network.status?.storage !== 'Pod') return undefined;
    const lost = plan.parts.find(
      (part) => part.copyOf !== undefined && isOnlyCopy(plan, part) && isNewSince(context, part, sinceMs),
    );
    if (!lost) return undefined;
    const cause = `the pod of ${lost.name} was replaced, and no other one has its data`;
    return {
      ...{ state: 'Pending', reason: reasonOfPhase.dead, requeueAfterMs: beginMs },
      message: `${cause}: a new chain begins`,
      writes: { ...context.writes.begun, ...begin(facts, cause) },
    };
  },
};

/** Until when the network was Operational with this chain; undefined if it never was, or still is. */
function lastOperationalMs({ facts, genesisTime }: PlannedNetwork): number | undefined {
  const ready = readyOf(facts.network.status);
  const sinceMs = ready?.status === 'False' ? parseRfc3339(ready.lastTransitionTime) : undefined;
  if (sinceMs === undefined || genesisTime === undefined) return undefined;
  return genesisTime * 1_000 < sinceMs ? sinceMs : undefined;
}

/** Whether the part's pod and volume are there, and both are younger than that. */
function isNewSince({ planned, engines }: NetworkContext, part: EnginePart, sinceMs: number): boolean {
  const { facts, ...input } = planned();
  const pod = engines.find(({ metadata }) => metadata.labels?.[labels.part] === part.name);
  if (!pod || pod.metadata.deletionTimestamp) return false;
  const { name } = engineMeta(input, part, '-data');
  const claim = facts.volumeClaims?.find(({ metadata }) => metadata.name === name);
  return [pod, ...(claim ? [claim] : [])].every((child) => createdMs(child) >= sinceMs);
}

const createdMs = ({ metadata }: KubeObject) => parseRfc3339(metadata.creationTimestamp) ?? 0;
