import { defineServerFeature, type Surroundings } from '../../../apiserver/feature.ts';
import { createRateLimit } from '../../../apiserver/http/limits/rateLimit.ts';
import { requestFunds } from './requestFunds.ts';

export const feature = defineServerFeature({
  create: (surroundings) => ({ handlers: createHandlers(surroundings) }),
});

function createHandlers({ kube, kinds, transactions, installation, limits, clock }: Surroundings) {
  const { requestsPerHour } = installation.faucet;
  const rate = createRateLimit({ perSecond: requestsPerHour / 3600, burst: requestsPerHour }, clock, {
    describe: () => `the account exceeded its limit of ${requestsPerHour} requests to faucets per hour`,
    onRefused: () => limits.budgets.refused('faucet'),
  });
  return {
    requestFunds: requestFunds({
      kube,
      rate,
      limits: installation.faucet,
      findAccount: transactions.findAccount,
      nodeOf: transactions.nodeOf,
      submitFor: transactions.submitFor,
      findNetwork: kinds.networks.find,
      findToken: kinds.tokens.find,
      networks: kinds.networks.cache,
    }),
  };
}
