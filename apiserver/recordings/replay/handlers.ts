import type { Clock } from '../../../core/lib/clock.ts';
import type { Handlers } from '../../http/pipeline/handler.ts';
import type { Store } from '../../store/kubeErrors.ts';
import type { StoredKinds } from '../../store/storedKinds.ts';
import { replayRecording } from './replay.ts';
import { createOpenTarget, type TargetDeps } from './target.ts';

export interface ReplayHandlersOptions {
  kube: Store;
  kinds: Pick<StoredKinds, 'networks' | 'recordings'>;
  /** How transactions are sent. */
  transactions: TargetDeps;
  clock: Clock;
}

export function createReplayHandlers({ kube, kinds, transactions, clock }: ReplayHandlersOptions) {
  return {
    replayRecording: replayRecording({
      kube,
      find: kinds.recordings.find,
      findNetwork: kinds.networks.find,
      findAccount: transactions.findAccount,
      openTarget: createOpenTarget(transactions),
      clock,
    }),
  } satisfies Handlers;
}
