import type { Mechanism, TokenArgs, TokenType } from '../api/rules/tokenArgs.ts';
import type { SuiteName, TokenContracts } from '../deploy/artifacts.ts';
import type { Accounts, DeployNetwork, Known, Step, StepId } from '../deploy/step.ts';

/**
 * The seam between the code that deploys tokens and a standard. A standard is pure: it defines the steps that lead to a
 * token on its networks, how each step is verified, and the addresses that result. `runSteps` performs the steps.
 */
export interface TokenStandard {
  type: TokenType;
  /** Contracts whose errors a deployment may meet. */
  errorSources: readonly (readonly [SuiteName, contract: string])[];
  /** Whether each of its networks has to be connected to each other one. */
  isConnected?: boolean;
  steps(plan: TokenPlan, contracts: TokenContracts): Step[];
  /** The result on a network, once all its steps are done. */
  result(plan: TokenPlan, network: TokenNetwork, known: Known): DeploymentResult;
}

/** A token and all its networks, including those where it is deployed already, because they are wired together. */
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

/** One network of a plan, with the contracts to deploy there. */
export interface DeploymentTarget {
  plan: TokenPlan;
  network: TokenNetwork;
  contracts: TokenContracts;
}

export interface DeploymentResult {
  tokenAddress: string;
  extraAddresses: Record<string, string>;
  /** The step whose transaction represents the deployment. */
  step: StepId;
}
