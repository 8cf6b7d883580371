import { labels } from '../../../core/api/names.ts';
import { isEvmChain } from '../../../core/api/resources/chainSpecs.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import { forkingOf } from '../../../core/api/rules/forking.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { engineIncarnationOf } from '../render/childNames.ts';
import type { NetworkFacts } from './facts.ts';
import { fromOf } from './from.ts';

/** The block that a network wants to fork, or "latest"; undefined if it is not a fork. A Resync takes the latest one. */
export function wantedBlockOf({ spec: { chain }, status }: Stored<NetworkResource>): string | undefined {
  const forking = forkingOf(chain);
  if (!forking) return undefined;
  return status?.reset?.action === 'Resync' ? 'latest' : (forking.blockHeight ?? 'latest');
}

/**
 * Whether a chain that is about to begin wants the latest block of its source, and nobody knows yet which one that is. An
 * engine that runs already has chosen it.
 */
export function mustReadForkHead(facts: NetworkFacts): boolean {
  const { network, pods, answers } = facts;
  if (!isEvmChain(network.spec.chain.type) || wantedBlockOf(network) !== 'latest') return false;
  const incarnation = engineIncarnationOf(network);
  if (network.status?.fork?.incarnation === incarnation) return false;
  if (fromOf(facts, incarnation)?.forkBlock !== undefined) return false;
  if (pods.some(({ metadata }) => metadata.labels?.[labels.incarnation] === incarnation)) return false;
  return answers.forkHead === undefined || 'problem' in answers.forkHead;
}
