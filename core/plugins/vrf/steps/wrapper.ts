import { reads } from '../../../deploy/reads.ts';
import type { Known, Step } from '../../../deploy/step.ts';
import { call, create } from '../../../deploy/steps.ts';
import { provingKeyOf } from '../keys.ts';
import { idOf, ownerOf, type StepsInput } from './common.ts';
import { pricing, weiPerLink } from './coordinator.ts';

/** Gas that the wrapper charges for: its own, the coordinator's by payment, and the coordinator's for each word. */
const overheads = { wrapper: 13_400, native: 128_500, link: 150_400, perWord: 435 };
const maxWords = 10;

/** The wrapper, for consumers that pay each request themselves. It is a consumer of the subscription. */
export function wrapperSteps(input: StepsInput): Step[] {
  const { network, contracts } = input;
  const wrapper = contracts.chainlink('VRFV2PlusWrapper');
  const owner = ownerOf(input);
  const of = (known: Known, name: string) => known.get(network.id, name);
  return [
    create(owner, {
      name: 'wrapper',
      title: 'deploys the wrapper for direct funding',
      contract: wrapper,
      after: [idOf(input, 'subscription-id')],
      args: (known) =>
        ['link', 'feed', 'coordinator', 'subscription-id.value'].map((name) => of(known, name)),
    }),
    call(owner, {
      name: 'wrapper-config',
      title: 'sets the fees of the wrapper',
      after: [idOf(input, 'wrapper')],
      call: (known) => ({
        to: of(known, 'wrapper'),
        abi: wrapper.abi,
        name: 'setConfig',
        args: configOf(input),
      }),
      reads: (known) => [reads({ to: of(known, 'wrapper'), abi: wrapper.abi, name: 's_configured' }, true)],
    }),
    consumerStep(input),
  ];
}

function configOf(input: StepsInput): unknown[] {
  const { wrapper, native, link, perWord } = overheads;
  const { nativePremiumPercent, linkPremiumPercent, stalenessSeconds } = pricing;
  return [
    ...[wrapper, native, link, perWord, nativePremiumPercent, linkPremiumPercent],
    ...[provingKeyOf(input).keyHash, maxWords, stalenessSeconds, weiPerLink],
    ...[pricing.flatFeeNativePpm, pricing.flatFeeLinkDiscountPpm],
  ];
}

function consumerStep(input: StepsInput): Step {
  const { network, contracts, accounts } = input;
  const { abi } = contracts.vrf('DemoSubscription');
  const of = (known: Known, name: string) => known.get(network.id, name);
  return call(ownerOf(input), {
    name: 'wrapper-consumer',
    title: 'lets the wrapper use the subscription',
    after: [idOf(input, 'wrapper')],
    call(known) {
      const args = [of(known, 'subscription-id.value'), of(known, 'wrapper')];
      return { to: of(known, 'subscription'), abi, name: 'addConsumer', args };
    },
    reads(known) {
      const args = [of(known, 'wrapper')];
      return [reads({ to: of(known, 'subscription'), abi, name: 'addedBy', args }, accounts.service)];
    },
  });
}
