import type { Interface } from 'ethers';
import type { TokenContracts } from '../../deploy/artifacts.ts';
import type { Known } from '../../deploy/step.ts';
import type { PluginReport } from '../plugin.ts';
import { committeeKeyHash } from './group.ts';
import { accountOf, provingKeyOf } from './keys.ts';
import { committee } from './parts.ts';
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

/** The same of a committee. Requests cost nothing, so there are no subscriptions: consumers may name any. */
export function reportOfCommittee(input: StepsInput, known: Known): PluginReport {
  const of = (name: string) => known.get(input.network.id, name);
  return {
    addresses: { coordinator: of('coordinator'), fulfiller: accountOf(input) },
    values: {
      keyHash: committeeKeyHash,
      groupPublicKey: of('committee.key'),
      threshold: `${committee.threshold} of ${committee.nodes.length}`,
    },
  };
}

export function errorAbis(contracts: TokenContracts): Interface[] {
  const chainlink = ['VRFCoordinatorV2_5', 'VRFV2PlusWrapper', 'LinkToken'].map(contracts.chainlink);
  const own = ['DemoSubscription', 'MpcCoordinator'].map(contracts.vrf);
  return [...chainlink, ...own].map(({ abi }) => abi);
}
