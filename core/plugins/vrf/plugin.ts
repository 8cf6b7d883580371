import type { Plugin } from '../plugin.ts';
import { accountKeyOf, provingSecretOf } from './keys.ts';
import { agentPart, keySecrets } from './parts.ts';
import { errorAbis, report } from './report.ts';
import { coordinatorSteps } from './steps/coordinator.ts';
import { fundsSteps } from './steps/funds.ts';
import { subscriptionSteps } from './steps/subscription.ts';
import { wrapperSteps } from './steps/wrapper.ts';

/** Random words that consumers of Chainlink's VRF v2.5 ask for, answered by a prover of ours. */
export const vrf: Plugin<'vrf'> = {
  name: 'vrf',
  refuse: ({ config }) =>
    config.type === 'mpc' ? [{ path: 'type', message: 'mpc is not yet available: use vrfv2plus' }] : [],
  services: () => ({}),
  plan: (input) => ({
    parts: [agentPart(input, [])],
    secrets: { [keySecrets.account]: accountKeyOf(input), [keySecrets.proving]: provingSecretOf(input) },
  }),
  steps: (input) => [
    ...coordinatorSteps(input),
    ...subscriptionSteps(input),
    ...wrapperSteps(input),
    ...fundsSteps(input),
  ],
  errorAbis,
  report,
};
