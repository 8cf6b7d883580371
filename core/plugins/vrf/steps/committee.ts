import { AbiCoder, keccak256 } from 'ethers';
import { z } from 'zod';
import { reads } from '../../../deploy/reads.ts';
import { call, create } from '../../../deploy/steps.ts';
import { AppError } from '../../../lib/errors.ts';
import type { PluginStep, ServiceStep } from '../../plugin.ts';
import { groupKeyOf } from '../group.ts';
import { idOf, ownerOf, type StepsInput } from './common.ts';

const infoSchema = z.object({
  public_key: z.string().regex(/^[0-9a-f]{256}$/),
  genesis_time: z.number(),
  period: z.number(),
});

/** The coordinator that takes the committee's signatures, and its committee: another one if the nodes have a new key. */
export function committeeSteps(input: StepsInput): PluginStep[] {
  const { network, contracts, accounts } = input;
  const owner = ownerOf(input);
  const coordinator = contracts.vrf('MpcCoordinator');
  const member = (name: string) => `committee.${name}`;
  return [
    create(owner, {
      name: 'coordinator',
      title: 'deploys the coordinator of the committee',
      contract: coordinator,
      args: () => [accounts.service],
    }),
    keyStep(input),
    call(owner, {
      name: 'set-committee',
      title: 'tells the coordinator the key of the committee',
      after: [idOf(input, 'coordinator'), idOf(input, 'committee')],
      call(known) {
        const [key, genesis, period] = ['key', 'genesis', 'period'].map((name) =>
          known.get(network.id, member(name)),
        );
        const args = [groupKeyOf(key ?? ''), genesis, period];
        return { to: known.get(network.id, 'coordinator'), abi: coordinator.abi, name: 'setCommittee', args };
      },
      reads(known) {
        const to = known.get(network.id, 'coordinator');
        const hash = known.get(network.id, member('hash'));
        return [reads({ to, abi: coordinator.abi, name: 'committeeHash' }, hash)];
      },
    }),
  ];
}

function keyStep({ network }: StepsInput): ServiceStep {
  return {
    kind: 'service',
    network: network.id,
    name: 'committee',
    title: 'asks the committee for its key',
    after: [],
    service: 'vrf',
    request: () => ({ method: 'GET', path: '/info' }),
    read({ status, body }) {
      if (status !== 200) {
        throw new AppError('Unavailable', 'the nodes of the committee have no common key yet', {
          retryAfterSeconds: 2,
        });
      }
      return committeeOf(body);
    },
  };
}

/** The facts in the answer of a node to `GET /info`. */
export function committeeOf(body: string): Record<string, string> {
  const { public_key: key, genesis_time: genesis, period } = infoSchema.parse(JSON.parse(body));
  const types = ['uint256[4]', 'uint64', 'uint64'];
  const hash = keccak256(AbiCoder.defaultAbiCoder().encode(types, [groupKeyOf(key), genesis, period]));
  return { key, genesis: String(genesis), period: String(period), hash };
}
