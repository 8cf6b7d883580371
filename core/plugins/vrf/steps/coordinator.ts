import { reads } from '../../../deploy/reads.ts';
import type { Step } from '../../../deploy/step.ts';
import { call, create } from '../../../deploy/steps.ts';
import { provingKeyOf } from '../keys.ts';
import { idOf, ownerOf, type StepsInput } from './common.ts';

const gwei = 10n ** 9n;
/** What a LINK is worth, in wei: the answer of the feed, and the coordinator's own for a feed without answers. */
export const weiPerLink = 5_000_000n * gwei;

/** Fees as on Ethereum. A feed that nobody updates is never stale. */
export const pricing = {
  stalenessSeconds: 4_294_967_295,
  flatFeeNativePpm: 500,
  flatFeeLinkDiscountPpm: 100,
  nativePremiumPercent: 15,
  linkPremiumPercent: 20,
};
const requestConfirmations = 3;
const maxCallbackGas = 2_500_000;
const gasAfterPayment = 33_285;
/** The most that an answer's gas may cost: no lane of a development chain is too expensive. */
const maxGasPrice = 10_000n * gwei;

/** LINK, its price in coins, and the coordinator with the key that it takes proofs of. */
export function coordinatorSteps(input: StepsInput): Step[] {
  const { contracts, accounts } = input;
  const owner = ownerOf(input);
  return [
    create(owner, { name: 'link', title: 'deploys LINK', contract: contracts.chainlink('LinkToken') }),
    create(owner, {
      name: 'feed',
      title: 'deploys the price feed of LINK',
      contract: contracts.chainlink('PriceFeed'),
      args: () => [accounts.service, 18, 'LINK / ETH', weiPerLink],
    }),
    create(owner, {
      name: 'blockhashes',
      title: 'deploys the store of block hashes',
      contract: contracts.chainlink('BlockhashStore'),
    }),
    create(owner, {
      name: 'coordinator',
      title: 'deploys the VRF coordinator',
      contract: contracts.chainlink('VRFCoordinatorV2_5'),
      after: [idOf(input, 'blockhashes')],
      args: (known) => [known.get(input.network.id, 'blockhashes')],
    }),
    ...settingSteps(input),
  ];
}

function settingSteps(input: StepsInput): Step[] {
  const { network, contracts } = input;
  const owner = ownerOf(input);
  const { abi } = contracts.chainlink('VRFCoordinatorV2_5');
  const fees = pricing;
  const deployed = [idOf(input, 'coordinator')];
  return [
    call(owner, {
      name: 'set-link',
      title: 'tells the coordinator about LINK',
      after: [...deployed, idOf(input, 'link'), idOf(input, 'feed')],
      call(known) {
        const args = [known.get(network.id, 'link'), known.get(network.id, 'feed')];
        return { to: known.get(network.id, 'coordinator'), abi, name: 'setLINKAndLINKNativeFeed', args };
      },
      reads: (known) => [
        reads({ to: known.get(network.id, 'coordinator'), abi, name: 'LINK' }, known.get(network.id, 'link')),
      ],
    }),
    call(owner, {
      name: 'set-config',
      title: 'sets the fees of the coordinator',
      after: deployed,
      call(known) {
        const limits = [requestConfirmations, maxCallbackGas, fees.stalenessSeconds, gasAfterPayment];
        const ppm = [fees.flatFeeNativePpm, fees.flatFeeLinkDiscountPpm];
        const args = [...limits, weiPerLink, ...ppm, fees.nativePremiumPercent, fees.linkPremiumPercent];
        return { to: known.get(network.id, 'coordinator'), abi, name: 'setConfig', args };
      },
      reads: (known) => [
        reads(
          { to: known.get(network.id, 'coordinator'), abi, name: 's_fallbackWeiPerUnitLink' },
          weiPerLink,
        ),
      ],
    }),
    keyStep(input),
  ];
}

function keyStep(input: StepsInput): Step {
  const { network, contracts } = input;
  const { abi } = contracts.chainlink('VRFCoordinatorV2_5');
  const { publicKey, keyHash } = provingKeyOf(input);
  return call(ownerOf(input), {
    name: 'proving-key',
    title: 'registers the proving key',
    after: [idOf(input, 'coordinator')],
    call(known) {
      const args = [publicKey, maxGasPrice];
      return { to: known.get(network.id, 'coordinator'), abi, name: 'registerProvingKey', args };
    },
    reads: (known) => [
      reads(
        { to: known.get(network.id, 'coordinator'), abi, name: 's_provingKeyHashes', args: [0] },
        keyHash,
      ),
    ],
  });
}
