import type { JournalResource } from '../../core/api/journal.ts';
import { labels } from '../../core/api/names.ts';
import { journalType } from '../../core/api/resources.ts';
import { createReflector, type Reflector, type ReflectorOptions } from '../../core/kube/reflector.ts';

/** Protocols whose messages are carried: what the scopes of their journals begin with. */
export const protocols = ['ccip', 'layerzero'] as const;

/** Journals of what carries messages, by namespace and by network (uid). Not yet started. */
export function createJournalCache(
  options: Pick<ReflectorOptions<JournalResource>, 'kube' | 'clock' | 'log' | 'metrics' | 'namespace'>,
): Reflector<JournalResource> {
  return createReflector({
    ...options,
    type: journalType,
    labelSelector: `${labels.scope} in (${protocols.join(',')})`,
    indexes: {
      namespace: ({ metadata }) => [metadata.namespace ?? ''],
      network: ({ spec }) => [placeOf(spec.scope).network],
    },
  });
}

/** What a journal's scope says: `ccip/network/life` or `layerzero/LayerZero network/network/life`. */
export interface Place {
  protocol: string;
  /** uid of the LayerZero network; empty for CCIP. */
  group: string;
  /** uid of the network. */
  network: string;
  incarnation: string;
}

export function placeOf(scope: string): Place {
  const parts = scope.split('/');
  const [protocol = ''] = parts;
  const [network = '', incarnation = ''] = parts.slice(-2);
  return { protocol, group: parts.length > 3 ? (parts[1] ?? '') : '', network, incarnation };
}
