import type { TokenContracts } from '../../deploy/artifacts.ts';
import { reads } from '../../deploy/reads.ts';
import { paidStep } from '../../deploy/serviceFunds.ts';
import type { DeployNetwork, Known, Step } from '../../deploy/step.ts';
import { call, create, sharedSteps, stepId } from '../../deploy/steps.ts';
import { hashOf } from '../../lib/hash.ts';

/** What CCIP needs once on a network: names of the steps, under which the addresses are known. */
export const ccip = {
  wrappedNative: 'ccip:wrapped-native',
  riskManagement: 'ccip:rmn',
  riskProxy: 'ccip:rmn-proxy',
  router: 'ccip:router',
  registry: 'ccip:token-admin-registry',
  onRamp: 'ccip:on-ramp',
  offRamp: 'ccip:off-ramp',
} as const;

/** The network's own chain selector: 63 bits, another one after a reset, so that old lanes lead nowhere. */
export function chainSelectorOf({ id, incarnation }: Pick<DeployNetwork, 'id' | 'incarnation'>): bigint {
  return BigInt(`0x${hashOf(['ccip', id, incarnation]).slice(0, 16)}`) >> 1n;
}

/**
 * Router, registry and RMN proxy of CCIP, with our ramps behind the router. Whichever token comes first makes them:
 * the idempotency keys are the network's, so two tokens at once make one set. Needs the step of `payStep`.
 */
export function ccipNetworkSteps(network: DeployNetwork, relayer: string, contracts: TokenContracts): Step[] {
  const owner = sharedSteps('ccip', network);
  const selector = chainSelectorOf(network);
  return parts.map(({ name, contract, title, after = [], more = () => [] }) =>
    create(owner, {
      name,
      title: `deploys the ${title} of CCIP`,
      contract: contracts.cct(contract),
      after: after.length > 0 ? after.map((one) => stepId(network, one)) : [paidStep(network)],
      args: (known) => [...after.map((one) => known.get(network.id, one)), ...more(selector, relayer)],
    }),
  );
}

interface Part {
  name: string;
  contract: string;
  title: string;
  /** Parts whose addresses are the constructor's first arguments. */
  after?: readonly string[];
  /** Its further arguments. */
  more?(selector: bigint, relayer: string): unknown[];
}

const parts: readonly Part[] = [
  { name: ccip.wrappedNative, contract: 'WrappedNative', title: 'wrapped currency' },
  { name: ccip.riskManagement, contract: 'RiskManagement', title: 'risk management' },
  {
    name: ccip.riskProxy,
    contract: 'RiskManagementProxy',
    title: 'RMN proxy',
    after: [ccip.riskManagement],
  },
  {
    name: ccip.router,
    contract: 'Router',
    title: 'router',
    after: [ccip.wrappedNative, ccip.riskProxy],
  },
  { name: ccip.registry, contract: 'TokenAdminRegistry', title: 'token admin registry' },
  {
    name: ccip.onRamp,
    contract: 'OnRamp',
    title: 'on-ramp',
    after: [ccip.router, ccip.registry],
    more: (selector) => [selector],
  },
  {
    name: ccip.offRamp,
    contract: 'OffRamp',
    title: 'off-ramp',
    after: [ccip.router, ccip.registry],
    more: (selector, relayer) => [selector, relayer],
  },
];

/** The name of the step that opens the lane to and from `other` on a network. */
const laneStep = (other: DeployNetwork) => `ccip:lane:${other.id}@${other.incarnation}`;

/** Both directions between `network` and `other`, on `network`'s router. */
export function ccipLaneStep(
  [network, other]: [DeployNetwork, DeployNetwork],
  contracts: TokenContracts,
): Step {
  const { abi } = contracts.cct('Router');
  const selector = chainSelectorOf(other);
  const at = (known: Known, name: string) => known.get(network.id, name);
  return call(sharedSteps('ccip', network), {
    name: laneStep(other),
    title: `opens the lane to ${other.id}`,
    after: [ccip.router, ccip.onRamp, ccip.offRamp].map((name) => stepId(network, name)),
    call: (known) => ({
      to: at(known, ccip.router),
      abi,
      name: 'applyRampUpdates',
      args: [[[selector, at(known, ccip.onRamp)]], [], [[selector, at(known, ccip.offRamp)]]],
    }),
    reads(known) {
      const to = at(known, ccip.router);
      return [
        reads({ to, abi, name: 'getOnRamp', args: [selector] }, at(known, ccip.onRamp)),
        reads({ to, abi, name: 'isOffRamp', args: [selector, at(known, ccip.offRamp)] }, true),
      ];
    },
  });
}

/** What a relay needs to know of a network. */
export interface CcipNetwork {
  id: string;
  incarnation: string;
  onRamp: string;
  offRamp: string;
}
