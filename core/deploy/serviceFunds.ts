import type { BalanceRead, CallStep, StepId } from './step.ts';
import { type StepOwner, stepId } from './steps.ts';

const unit = 10n ** 18n;
/** Enough for the shared contracts of a network at 30 gwei, and for thousands of messages. */
const payment = 5n * unit;
const least = unit / 2n;

const name = 'pay-service';

/** The step after which the service's account can pay for its transactions. */
export const paidStep = (network: { id: string }): StepId => stepId(network, name);

/**
 * Where the service's account is nearly empty, the deployer pays for what the service does on the network. Nothing is
 * sent on chains whose genesis funds that account.
 */
export function payStep({ network, scope }: Omit<StepOwner, 'signer'>, service: string): CallStep {
  const balance: BalanceRead = {
    what: `the service's account ${service} holds enough for gas`,
    balanceOf: service,
    isMet: (result) => result !== undefined && BigInt(result) >= least,
  };
  return {
    kind: 'call',
    network: network.id,
    name,
    title: 'pays the service for gas',
    after: [],
    scope,
    signer: 'deployer',
    transaction: () => ({ to: service, data: '0x', value: payment, funds: service }),
    reads: () => [balance],
  };
}
