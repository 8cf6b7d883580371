import type { Installation } from '../core/api/installation.ts';
import type { Clock } from '../core/lib/clock.ts';
import type { CallerLimits } from './http/limits/callerLimits.ts';
import type { Handlers } from './http/pipeline/handler.ts';
import type { Store } from './store/kubeErrors.ts';
import type { StoredKinds } from './store/storedKinds.ts';
import type { Transactions } from './transactions/transactions.ts';

/** What the API server gives to features. */
export interface Surroundings {
  installation: Installation;
  kube: Store;
  kinds: StoredKinds;
  transactions: Transactions;
  limits: CallerLimits;
  clock: Clock;
}

/** What a feature adds to the API server. It is exported as `feature` by the server/feature.ts of its folder. */
export interface ServerFeature<Own extends Handlers> {
  create(surroundings: Surroundings): { handlers: Own };
}

export function defineServerFeature<Own extends Handlers>(feature: ServerFeature<Own>): ServerFeature<Own> {
  return feature;
}
