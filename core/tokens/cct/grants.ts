import { Interface, id } from 'ethers';
import { answerOf } from '../../deploy/reads.ts';
import type { CallRead, Known, Step } from '../../deploy/step.ts';
import { call, inspect, ownSteps, stepId } from '../../deploy/steps.ts';
import type { ChainReader } from '../../evm/chainReader.ts';
import { encodeCall, ethCall, type FunctionCall } from '../../evm/contractCalls.ts';
import type { DeploymentTarget } from '../standard.ts';
import { wrongArg } from '../wrongArg.ts';
import { erc20Abi, pool, tokenOf, tokenStepOf } from './token.ts';

/** How tokens let a pool mint and burn: Chainlink's in one call, OpenZeppelin's AccessControl role by role. */
const grants = new Interface([
  'function grantMintAndBurnRoles(address pool)',
  'function grantRole(bytes32 role, address account)',
]);

const ways: Record<string, (poolAddress: string) => Pick<FunctionCall, 'name' | 'args'>[]> = {
  together: (poolAddress) => [{ name: 'grantMintAndBurnRoles', args: [poolAddress] }],
  byRole: (poolAddress) =>
    ['MINTER_ROLE', 'BURNER_ROLE'].map((role) => ({ name: 'grantRole', args: [id(role), poolAddress] })),
};

const look = 'grant-way';

/**
 * Lets a burn-mint pool mint and burn. A wrapped token is probed for how to grant that, and whether the deployer may. If
 * the deployer may not, the token's owner must grant it, and the deployment continues when it is retried.
 */
export function grantSteps(target: DeploymentTarget): Step[] {
  const { plan, network } = target;
  const granting = (name: string, index: number, after: string): Step =>
    call(ownSteps(plan, network), {
      name,
      title: 'lets the pool mint and burn',
      after: [stepId(network, after)],
      call: (known) => callOf(target, known, index),
      reads: (known) => [index === 0 ? mintRead(target, known) : burnRead(target, known)],
    });
  return [
    inspect(network, {
      name: look,
      title: 'finds out how the pool can be allowed to mint and burn',
      after: [tokenStepOf(network), stepId(network, pool)],
      inspect: async (known, chain) => ({ way: await findWay(target, known, chain) }),
    }),
    granting('grant', 0, look),
    granting('grant-burn', 1, 'grant'),
  ];
}

function callOf({ network }: DeploymentTarget, known: Known, index: number): FunctionCall | undefined {
  const way = ways[known.get(network.id, `${look}.way`)];
  const found = way?.(known.get(network.id, pool))[index];
  return found && { to: tokenOf(network, known), abi: grants, ...found };
}

/** Called as the pool itself: what counts is what it may do, whatever the token calls its roles. */
function mintRead({ network }: DeploymentTarget, known: Known): CallRead {
  const from = known.get(network.id, pool);
  const data = encodeCall({ to: '', abi: erc20Abi, name: 'mint', args: [from, 1n] });
  return asPool('mint', { from, to: tokenOf(network, known), data });
}

function burnRead({ network }: DeploymentTarget, known: Known): CallRead {
  const from = known.get(network.id, pool);
  const data = encodeCall({ to: '', abi: erc20Abi, name: 'burn', args: [0n] });
  return asPool('burn', { from, to: tokenOf(network, known), data });
}

function asPool(name: string, request: Pick<CallRead, 'to' | 'data'> & { from: string }): CallRead {
  return { what: `the pool may ${name}`, ...request, isMet: (result) => result !== undefined };
}

/** `none` when the pool already may. Throws BadRequest when the deployer cannot grant it. */
async function findWay(target: DeploymentTarget, known: Known, chain: ChainReader): Promise<string> {
  const { network, plan } = target;
  const may = await Promise.all(
    [mintRead(target, known), burnRead(target, known)].map((read) => answerOf(chain, read)),
  );
  if (may.every((answer) => answer !== undefined)) return 'none';
  const to = tokenOf(network, known);
  const poolAddress = known.get(network.id, pool);
  for (const [way, callsOf] of Object.entries(ways)) {
    const answers = await Promise.all(
      callsOf(poolAddress).map((one) =>
        ethCall(chain, {
          to,
          data: encodeCall({ to, abi: grants, ...one }),
          from: plan.accounts.deployer,
        }),
      ),
    );
    if (answers.every((answer) => answer !== undefined)) return way;
  }
  throw wrongArg(
    'underlying_token_address',
    `${plan.accounts.deployer} may not let the pool mint and burn: grant both on ${to} to the pool ${poolAddress}, then deploy again`,
  );
}
