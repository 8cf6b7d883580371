import type { Plugin } from '../plugin.ts';
import { accountKeyOf, committeeTokenOf, provingSecretOf } from './keys.ts';
import { agentPart, committee, committeeUrls, keySecrets, nodeParts } from './parts.ts';
import { errorAbis, report, reportOfCommittee } from './report.ts';
import { committeeSteps } from './steps/committee.ts';
import { coordinatorSteps } from './steps/coordinator.ts';
import { fundsSteps } from './steps/funds.ts';
import { subscriptionSteps } from './steps/subscription.ts';
import { wrapperSteps } from './steps/wrapper.ts';

/** Random words for consumers of Chainlink's VRF v2.5: proven by one key, or signed by a committee. */
export const vrf: Plugin<'vrf'> = {
  name: 'vrf',
  engines: ({ type }) => [
    { engine: 'service', path: '' },
    ...(type === 'mpc' ? [{ engine: 'drand', path: 'type' } as const] : []),
  ],
  services: ({ type }) =>
    type === 'mpc' ? { vrf: { part: committee.nodes[0], port: 'http', needs: 'public' } } : {},
  plan(input) {
    const account = accountKeyOf(input);
    if (input.config.type === 'mpc') {
      return {
        parts: [...nodeParts(input), agentPart(input, committeeUrls(input))],
        secrets: { [keySecrets.account]: account, [keySecrets.token]: committeeTokenOf(input) },
      };
    }
    return {
      parts: [agentPart(input, [])],
      secrets: { [keySecrets.account]: account, [keySecrets.proving]: provingSecretOf(input) },
    };
  },
  steps(input) {
    if (input.config.type === 'mpc') return [...committeeSteps(input), ...fundsSteps(input)];
    return [
      ...coordinatorSteps(input),
      ...subscriptionSteps(input),
      ...wrapperSteps(input),
      ...fundsSteps(input),
    ];
  },
  errorAbis,
  report: (input, known) =>
    input.config.type === 'mpc' ? reportOfCommittee(input, known) : report(input, known),
};
