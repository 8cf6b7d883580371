import { reads, readsAtLeast } from '../../../deploy/reads.ts';
import type { Step } from '../../../deploy/step.ts';
import { call, create, inspect } from '../../../deploy/steps.ts';
import { ask, encodeCall } from '../../../evm/contractCalls.ts';
import { AppError } from '../../../lib/errors.ts';
import { idOf, ownerOf, type StepsInput } from './common.ts';

const unit = 10n ** 18n;
const supply = 10_000_000n * unit;
const linkOfSubscription = 1_000_000n * unit;
const coinsOfSubscription = 5n * unit;

/** The subscription that everybody may use, with LINK and coins, and LINK to give away. */
export function subscriptionSteps(input: StepsInput): Step[] {
  const { network, contracts } = input;
  const owner = ownerOf(input);
  const { abi } = contracts.vrf('DemoSubscription');
  return [
    create(owner, {
      name: 'subscription',
      title: 'creates the subscription',
      contract: contracts.vrf('DemoSubscription'),
      after: [idOf(input, 'set-link')],
      args: (known) => [known.get(network.id, 'coordinator'), known.get(network.id, 'link')],
    }),
    inspect(network, {
      name: 'subscription-id',
      title: 'asks for the id of the subscription',
      after: [idOf(input, 'subscription')],
      async inspect(known, chain) {
        const id = await ask(chain, { to: known.get(network.id, 'subscription'), abi, name: 'subId' });
        if (id === undefined) throw new AppError('Unavailable', 'the subscription has no id');
        return { value: id };
      },
    }),
    ...mintSteps(input),
    fundStep(input),
  ];
}

function mintSteps(input: StepsInput): Step[] {
  const { network, contracts, accounts } = input;
  const { abi } = contracts.chainlink('LinkToken');
  const owner = ownerOf(input);
  return [
    call(owner, {
      name: 'link-minter',
      title: 'lets the service mint LINK',
      after: [idOf(input, 'link')],
      call: (known) => ({
        to: known.get(network.id, 'link'),
        abi,
        name: 'grantMintRole',
        args: [accounts.service],
      }),
      reads: (known) => [
        reads({ to: known.get(network.id, 'link'), abi, name: 'isMinter', args: [accounts.service] }, true),
      ],
    }),
    call(owner, {
      name: 'link-supply',
      title: 'mints LINK',
      after: [idOf(input, 'link-minter'), idOf(input, 'subscription')],
      call(known) {
        const args = [known.get(network.id, 'subscription'), supply];
        return { to: known.get(network.id, 'link'), abi, name: 'mint', args };
      },
      reads: (known) => [
        readsAtLeast({ to: known.get(network.id, 'link'), abi, name: 'totalSupply' }, supply),
      ],
    }),
  ];
}

function fundStep(input: StepsInput): Step {
  const { network, contracts } = input;
  const { abi } = contracts.vrf('DemoSubscription');
  const { network: _, ...owner } = ownerOf(input);
  return {
    ...owner,
    kind: 'call',
    network: network.id,
    name: 'fund-subscription',
    title: 'funds the subscription',
    after: [idOf(input, 'link-supply')],
    transaction(known) {
      const to = known.get(network.id, 'subscription');
      const data = encodeCall({ to, abi, name: 'fund', args: [linkOfSubscription] });
      return { to, data, value: coinsOfSubscription };
    },
    reads: (known) => [reads({ to: known.get(network.id, 'subscription'), abi, name: 'isFunded' }, true)],
  };
}
