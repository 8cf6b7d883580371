import { reads, readsAtLeast } from '../../deploy/reads.ts';
import type { CallStep, StepId } from '../../deploy/step.ts';
import { call, create, type StepOwner, stepId } from '../../deploy/steps.ts';
import { type PluginStep, type PluginStepsInput, pluginScope } from '../plugin.ts';
import {
  echoUint256,
  ethUsd,
  ethUsdJob,
  type Feed,
  getUint256,
  type Job,
  linkEth,
  linkEthJob,
} from './jobs.ts';
import { jobSteps, keyStep, loginStep } from './nodeSteps.ts';

const ether = 10n ** 18n;
/** For about 100,000 transactions of the node at 3 gwei. */
const funds = 50n * ether;
const leastFunds = ether;

/** The contracts, the node's account and its rights, and last its jobs. */
export function stepsOf(input: PluginStepsInput): PluginStep[] {
  const { network, contracts, accounts } = input;
  const owner: StepOwner = { network, scope: pluginScope('chainlink', network), signer: 'service' };
  const link = stepId(network, 'link');
  return [
    create(owner, {
      name: 'link',
      title: 'deploys LINK',
      contract: contracts.chainlink('LinkToken'),
    }),
    create(owner, {
      name: 'link-faucet',
      title: 'deploys the faucet of LINK',
      after: [link],
      contract: contracts.chainlink('LinkFaucet'),
      args: (known) => [known.get(network.id, 'link')],
    }),
    minterStep(input, owner),
    create(owner, {
      name: 'operator',
      title: 'deploys the Operator',
      after: [link],
      contract: contracts.chainlink('Operator'),
      args: (known) => [known.get(network.id, 'link'), accounts.service],
    }),
    loginStep(input),
    keyStep(input),
    fundStep(owner),
    authorizeStep(input, owner),
    ...requestSteps(input, getUint256),
    ...requestSteps(input, echoUint256),
    ...feedSteps(input, owner, { feed: ethUsd, name: 'eth-usd', job: ethUsdJob }),
    ...feedSteps(input, owner, { feed: linkEth, name: 'link-eth', job: linkEthJob }),
  ];
}

function minterStep({ network, contracts }: PluginStepsInput, owner: StepOwner): CallStep {
  const { abi } = contracts.chainlink('LinkToken');
  return call(owner, {
    name: 'mint-link',
    title: 'lets the faucet mint LINK',
    after: [stepId(network, 'link-faucet')],
    call: (known) => ({
      to: known.get(network.id, 'link'),
      abi,
      name: 'grantMintRole',
      args: [known.get(network.id, 'link-faucet')],
    }),
    reads: (known) => [
      reads(
        {
          to: known.get(network.id, 'link'),
          abi,
          name: 'isMinter',
          args: [known.get(network.id, 'link-faucet')],
        },
        true,
      ),
    ],
  });
}

function fundStep({ network, scope, signer }: StepOwner): CallStep {
  const name = 'key.address';
  return {
    kind: 'call',
    network: network.id,
    name: 'fund-node',
    title: "funds the node's account",
    scope,
    signer,
    after: [stepId(network, 'key')],
    transaction: (known) => ({ to: known.get(network.id, name), data: '0x', value: funds }),
    reads: (known) => [
      {
        what: 'the node has funds for its transactions',
        balanceOf: known.get(network.id, name),
        isMet: (result) => result !== undefined && BigInt(result) >= leastFunds,
      },
    ],
  };
}

function authorizeStep({ network, contracts }: PluginStepsInput, owner: StepOwner): CallStep {
  const { abi } = contracts.chainlink('Operator');
  return call(owner, {
    name: 'authorize-node',
    title: 'lets the node fulfil requests',
    after: [stepId(network, 'operator'), stepId(network, 'key')],
    call: (known) => ({
      to: known.get(network.id, 'operator'),
      abi,
      name: 'setAuthorizedSenders',
      args: [[known.get(network.id, 'key.address')]],
    }),
    reads: (known) => [
      reads(
        {
          to: known.get(network.id, 'operator'),
          abi,
          name: 'isAuthorizedSender',
          args: [known.get(network.id, 'key.address')],
        },
        true,
      ),
    ],
  });
}

/** A job begins to listen when its node can also answer. */
function requestSteps(input: PluginStepsInput, job: Job): PluginStep[] {
  const { network } = input;
  const after: StepId[] = [stepId(network, 'authorize-node'), stepId(network, 'fund-node')];
  return jobSteps(input, { job, contract: 'operator', after });
}

interface FeedInput {
  feed: Feed;
  /** The name of the step that creates the contract. */
  name: string;
  job: Job;
}

function feedSteps(
  input: PluginStepsInput,
  owner: StepOwner,
  { feed: { decimals, description, answer }, name, job }: FeedInput,
): PluginStep[] {
  const { network, contracts, accounts } = input;
  const contract = contracts.chainlink('PriceFeed');
  const at = `${name}-node`;
  const to = (known: { get(network: string, name: string): string }) => known.get(network.id, name);
  return [
    create(owner, {
      name,
      contract,
      title: `deploys the feed ${description}`,
      args: () => [accounts.service, decimals, description, answer],
    }),
    call(owner, {
      name: at,
      title: `lets the node update the feed ${description}`,
      after: [stepId(network, name), stepId(network, 'key')],
      call: (known) => ({
        to: to(known),
        abi: contract.abi,
        name: 'setNode',
        args: [known.get(network.id, 'key.address')],
      }),
      reads: (known) => [
        reads({ to: to(known), abi: contract.abi, name: 'node' }, known.get(network.id, 'key.address')),
        readsAtLeast({ to: to(known), abi: contract.abi, name: 'latestRound' }, 1n),
      ],
    }),
    ...jobSteps(input, { job, contract: name, after: [stepId(network, at), stepId(network, 'fund-node')] }),
  ];
}
