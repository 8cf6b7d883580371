import { idKey } from '../../core/api/ids.ts';
import { labels } from '../../core/api/names.ts';
import type { JournalResource } from '../../core/api/resources/journal.ts';
import { journalType } from '../../core/api/resources/resources.ts';
import { createReflector, type Reflector, type ReflectorOptions } from '../../core/kube/cache/reflector.ts';

/** The journals of CCIP, by namespace and by network. Not started yet. */
export function createJournalCache(
  options: Pick<ReflectorOptions<JournalResource>, 'kube' | 'clock' | 'log' | 'kubeMetrics' | 'namespace'>,
): Reflector<JournalResource> {
  return createReflector({
    ...options,
    type: journalType,
    labelSelector: `${labels.scope}=ccip`,
    indexes: {
      namespace: ({ metadata }) => [metadata.namespace],
      network: ({ metadata, spec }) => [idKey(metadata.namespace, chainIn(spec.scope).network)],
    },
  });
}

/** The chain that a journal's scope names: `ccip/network/incarnation`. */
interface JournalChain {
  /** Id of the network. */
  network: string;
  incarnation: string;
}

export function chainIn(scope: string): JournalChain {
  const [, network = '', incarnation = ''] = scope.split('/');
  return { network, incarnation };
}
