import { tokenContractsForTests } from '../../../hack/contracts/forTests.ts';
import type { TokenArgs, TokenType } from '../../api/rules/tokenArgs.ts';
import { type RunResult, runSteps, summarise } from '../../deploy/runner.ts';
import type { Step } from '../../deploy/step.ts';
import type { DeploymentResult, TokenPlan } from '../standard.ts';
import { errorAbisOf, standardOf } from '../standards.ts';
import { accounts, createDurable, type Durable, type Hook, portsOf, type TestNetwork } from './networks.ts';

export const contracts = tokenContractsForTests();

export interface Deployed {
  result: RunResult;
  steps: Step[];
  /** By network id; only networks whose steps are all done. */
  deployments: Record<string, DeploymentResult>;
  messages: (string | undefined)[];
}

export interface DeployOptions {
  type: TokenType;
  durable?: Durable;
  hook?: Hook;
  /** Whether somebody asked for what failed or was undone. */
  isAsked?: boolean;
  plan?: Partial<TokenPlan>;
}

/** Deploys a token with the args of each network, in the order of the networks. */
export async function deploy(
  networks: TestNetwork[],
  args: TokenArgs[],
  { type, durable = createDurable(), hook, isAsked = false, plan: more }: DeployOptions,
): Promise<Deployed> {
  const plan: TokenPlan = {
    id: 'token-1',
    name: 'Test Token',
    symbol: 'TST',
    decimals: 18,
    accounts,
    networks: networks.map(({ id }, index) => ({ id, incarnation: 'one', args: args[index] ?? {} })),
    ...more,
  };
  const standard = standardOf(type);
  const steps = standard.steps(plan, contracts);
  const abis = errorAbisOf(type, contracts);
  const result = await runSteps({
    steps,
    ports: portsOf(networks, durable, hook),
    abis,
    repeats: () => ({ failed: isAsked, undone: isAsked, remedy: 'ask again' }),
  });
  const outcomes = plan.networks.map((network) => ({ network, ...summarise(network.id, steps, result) }));
  const done = outcomes.filter(({ state }) => state === 'done');
  return {
    result,
    steps,
    deployments: Object.fromEntries(
      done.map(({ network }) => [network.id, standard.result(plan, network, result.known)]),
    ),
    messages: outcomes.map(({ message }) => message),
  };
}
