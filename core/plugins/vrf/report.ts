import type { Interface } from 'ethers';
import type { TokenContracts } from '../../deploy/artifacts.ts';
import type { Known } from '../../deploy/step.ts';
import type { PluginReport } from '../plugin.ts';
import { accountOf, provingKeyOf } from './keys.ts';
import type { StepsInput } from './steps/common.ts';

/** What users need for their consumers. */
export function report(input: StepsInput, known: Known): PluginReport {
  const of = (name: string) => known.get(input.network.id, name);
  return {
    addresses: {
      coordinator: of('coordinator'),
      link: of('link'),
      linkNativeFeed: of('feed'),
      blockhashStore: of('blockhashes'),
      wrapper: of('wrapper'),
      subscriptionOwner: of('subscription'),
      fulfiller: accountOf(input),
    },
    values: { keyHash: provingKeyOf(input).keyHash, subscriptionId: of('subscription-id.value') },
  };
}

export function errorAbis(contracts: TokenContracts): Interface[] {
  const chainlink = ['VRFCoordinatorV2_5', 'VRFV2PlusWrapper', 'LinkToken'].map(contracts.chainlink);
  return [...chainlink, contracts.vrf('DemoSubscription')].map(({ abi }) => abi);
}
