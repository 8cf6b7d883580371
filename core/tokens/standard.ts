import type { Mechanism, TokenArgs, TokenType } from '../api/rules/tokenArgs.ts';
import type { SuiteName, TokenContracts } from '../deploy/artifacts.ts';
import type { Accounts, DeployNetwork, Known, Step, StepId } from '../deploy/step.ts';

/**
 * The seam between whoever deploys tokens and a standard. A standard is pure: it says which steps lead to a token on
 * its networks, how each is seen to hold, and which addresses come of them. `runSteps` takes them.
 */
export interface TokenStandard {
  type: TokenType;
  /** Contracts whose errors a deployment may meet. */
  errorSources: readonly (readonly [SuiteName, contract: string])[];
  steps(plan: TokenPlan, contracts: TokenContracts): Step[];
  /** What a network's deployment is known by, once all its steps are done. */
  result(plan: TokenPlan, network: TokenNetwork, known: Known): DeploymentResult;
}

/** A token and all networks that it shall be on: also those where it is already, because they are wired together. */
export interface TokenPlan {
  /** The token's id. */
  id: string;
  name: string;
  symbol: string;
  decimals: number;
  mechanism?: Mechanism;
  networks: readonly TokenNetwork[];
  accounts: Accounts;
}

export interface TokenNetwork extends DeployNetwork {
  args: TokenArgs;
}

export interface DeploymentResult {
  tokenAddress: string;
  extraAddresses: Record<string, string>;
  /** The step whose transaction stands for the deployment. */
  step: StepId;
}
