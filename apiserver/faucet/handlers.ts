import type { Installation } from '../../core/api/installation.ts';
import type { Clock } from '../../core/lib/clock.ts';
import type { CallerLimits } from '../http/limits/callerLimits.ts';
import { createRateLimit } from '../http/limits/rateLimit.ts';
import type { Handlers } from '../http/pipeline/handler.ts';
import type { Store } from '../store/kubeErrors.ts';
import type { StoredKinds } from '../store/storedKinds.ts';
import { type FaucetDeps, requestFunds } from './requestFunds.ts';

export interface FaucetOptions {
  kube: Store;
  kinds: Pick<StoredKinds, 'networks' | 'tokens'>;
  /** How transactions are sent. */
  transactions: Pick<FaucetDeps, 'findAccount' | 'nodeOf' | 'submitFor'>;
  faucet: Installation['faucet'];
  limits: Pick<CallerLimits, 'budgets'>;
  clock: Clock;
}

export function createFaucetHandlers(options: FaucetOptions) {
  const { kube, kinds, transactions, faucet, limits, clock } = options;
  const { requestsPerHour } = faucet;
  const rate = createRateLimit({ perSecond: requestsPerHour / 3600, burst: requestsPerHour }, clock, {
    describe: () => `the account exceeded its limit of ${requestsPerHour} requests to faucets per hour`,
    onRefused: () => limits.budgets.refused('faucet'),
  });
  return {
    requestFunds: requestFunds({
      kube,
      rate,
      limits: faucet,
      findAccount: transactions.findAccount,
      nodeOf: transactions.nodeOf,
      submitFor: transactions.submitFor,
      findNetwork: kinds.networks.find,
      findToken: kinds.tokens.find,
      networks: kinds.networks.cache,
    }),
  } satisfies Handlers;
}
