import type { TokenContracts } from '../../deploy/artifacts.ts';
import { reads } from '../../deploy/reads.ts';
import type { Known, Step } from '../../deploy/step.ts';
import {
  call,
  create,
  deploymentIncarnationOf,
  inspect,
  ownSteps,
  pairsOf,
  stepId,
} from '../../deploy/steps.ts';
import { ask, askValue, codeAt } from '../../evm/contractCalls.ts';
import type { TokenNetwork, TokenPlan, TokenStandard } from '../standard.ts';
import { wrongArg } from '../wrongArg.ts';
import { feeLimitOf, smallestMessage } from './fee.ts';

const token = 'token';
const endpoint = 'endpoint';
const eidOf = (known: Known, network: TokenNetwork) => known.get(network.id, `${endpoint}.eid`);

/** LayerZero's OFT: one contract on each network, each the peer of all others. */
export const standard: TokenStandard = {
  type: 'OFT',
  isConnected: true,
  errorSources: [
    ['oft', 'OmnichainToken'],
    ['layerzero', 'Endpoint'],
  ],
  steps: (plan, contracts) => [
    ...plan.networks.flatMap((network) => networkSteps(plan, network, contracts)),
    ...pairsOf(plan.networks).flatMap((pair) => [
      peerStep(plan, pair, contracts),
      ...feeSteps(plan, pair, contracts),
    ]),
  ],
  result: (_plan, network, known) => ({
    tokenAddress: known.get(network.id, token),
    extraAddresses: {
      endpoint: endpointOf(network),
      endpoint_id: eidOf(known, network),
    },
    step: stepId(network, token),
  }),
};

const endpointOf = ({ args }: TokenNetwork) => args.layer_zero_endpoint ?? '';

function networkSteps(plan: TokenPlan, network: TokenNetwork, contracts: TokenContracts): Step[] {
  const { name, symbol, decimals, accounts } = plan;
  const supply = BigInt(network.args.total_supply ?? '0');
  return [
    inspect(network, {
      name: endpoint,
      title: 'checks the LayerZero endpoint',
      async inspect(_known, chain) {
        const address = endpointOf(network);
        if ((await codeAt(chain, address)) === '0x') {
          throw wrongArg(
            'layer_zero_endpoint',
            `there is no contract at ${address}: name an endpoint of this network`,
          );
        }
        const eid = await ask(chain, { to: address, abi: contracts.layerzero('Endpoint').abi, name: 'eid' });
        if (eid === undefined || eid === '0') {
          throw wrongArg('layer_zero_endpoint', `${address} is not a LayerZero V2 endpoint: it has no eid()`);
        }
        return { eid };
      },
    }),
    create(ownSteps(plan, network), {
      name: token,
      title: 'deploys the token',
      contract: contracts.oft('OmnichainToken'),
      after: [stepId(network, endpoint)],
      args: () => [name, symbol, decimals, supply, endpointOf(network), accounts.deployer],
    }),
  ];
}

const peerNameOf = (to: TokenNetwork) => `peer:${to.id}@${deploymentIncarnationOf(to)}`;

function peerStep(
  plan: TokenPlan,
  [from, to]: [TokenNetwork, TokenNetwork],
  contracts: TokenContracts,
): Step {
  const { abi } = contracts.oft('OmnichainToken');
  const peerOf = (known: Known) => `0x${known.get(to.id, token).slice(2).toLowerCase().padStart(64, '0')}`;
  return call(ownSteps(plan, from), {
    name: peerNameOf(to),
    title: `makes ${to.id} a peer`,
    after: [stepId(from, token), stepId(to, token)],
    call(known) {
      const eid = eidOf(known, to);
      if (eid === eidOf(known, from)) {
        throw wrongArg('layer_zero_endpoint', `two networks have endpoints with the same id ${eid}`);
      }
      return { to: known.get(from.id, token), abi, name: 'setPeer', args: [eid, peerOf(known)] };
    },
    reads: (known) => [
      reads({ to: known.get(from.id, token), abi, name: 'peers', args: [eidOf(known, to)] }, peerOf(known)),
    ],
  });
}

/** Checks lz_fee, where it is given: what the endpoint asks for a message to a peer. */
function feeSteps(
  plan: TokenPlan,
  [from, to]: [TokenNetwork, TokenNetwork],
  contracts: TokenContracts,
): Step[] {
  const limit = feeLimitOf(from.args.adapter_parameters);
  if (limit === undefined) return [];
  const { abi } = contracts.oft('OmnichainToken');
  return [
    inspect(from, {
      name: `fee:${to.id}@${deploymentIncarnationOf(to)}`,
      title: `asks what a message to ${to.id} costs`,
      after: [stepId(from, peerNameOf(to))],
      async inspect(known, chain) {
        const message = smallestMessage(eidOf(known, to), plan.decimals, plan.accounts.deployer);
        const quote = { to: known.get(from.id, token), abi, name: 'quoteSend', args: [message, false] };
        // An endpoint without a route to the peer names no price.
        const price = (await askValue(chain, quote)) as { nativeFee: string } | undefined;
        const fee = price?.nativeFee;
        if (fee !== undefined && BigInt(fee) > limit) {
          throw wrongArg(
            'adapter_parameters.lz_fee',
            `a message to ${to.id} costs ${fee} wei, which is more than ${limit}: raise lz_fee, or omit it`,
          );
        }
        return { wei: fee ?? '' };
      },
    }),
  ];
}
