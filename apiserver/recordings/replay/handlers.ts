import { networkType, recordingType } from '../../../core/api/resources/resources.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import type { Handlers } from '../../http/pipeline/handler.ts';
import { createCache } from '../../store/cache.ts';
import type { Caches } from '../../store/caches.ts';
import { createFind } from '../../store/find.ts';
import type { Store } from '../../store/kubeErrors.ts';
import { replayRecording } from './replay.ts';
import { createOpenTarget, type TargetDeps } from './target.ts';

export interface ReplayHandlersOptions {
  kube: Store;
  caches: Pick<Caches, 'networks' | 'recordings'>;
  /** How transactions are sent. */
  transactions: TargetDeps;
  clock: Clock;
}

export function createReplayHandlers({ kube, caches, transactions, clock }: ReplayHandlersOptions) {
  return {
    replayRecording: replayRecording({
      kube,
      find: createFind({ kube, cache: createCache(caches.recordings), type: recordingType }),
      findNetwork: createFind({ kube, cache: createCache(caches.networks), type: networkType }),
      findAccount: transactions.findAccount,
      openTarget: createOpenTarget(transactions),
      clock,
    }),
  } satisfies Handlers;
}
