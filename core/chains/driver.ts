import type { EngineName } from '../api/installation.ts';
import type { ChainSpec } from '../api/network.ts';
import type { SystemContracts } from './systemContracts.ts';

/**
 * The seam between the operator and a family of chains. A driver is pure: from what is known of a network it
 * builds the plan of its engine; it reads no cluster and calls no chain.
 */
export interface ChainDriver {
  /** Addresses that the mnemonic of mnemonicRef stands for, when the family has such a thing. */
  mnemonicAccounts: number;
  /** A chain id for a network that names none, the same for the same `seed` (hex) at each call. */
  generateChainId(seed: string): string;
  /** Why `chainId` may not be used on a network that is (or is not) a fork; undefined when it may. */
  refuseChainId(chainId: string, isFork: boolean): string | undefined;
  plan(input: PlanInput): EnginePlan;
}

/** What a plan is made from. Addresses are in the family's own text form. */
export interface PlanInput {
  chain: ChainSpec;
  chainId: string;
  hotAddress?: string;
  mnemonicAddresses: readonly string[];
  fork?: { blockHeight: string };
  /** Code that a new chain begins with; without it the chain has none of its system contracts. */
  systemContracts?: SystemContracts;
}

/** One process of a network, run as one pod. */
export interface EnginePart {
  name: string;
  engine: EngineName;
  args: string[];
  /** Text files by absolute path, mounted read-only. */
  files: Record<string, string>;
  /** Ports by name; `readyPort` accepts connections once the process serves. */
  ports: Record<string, number>;
  readyPort: string;
  /** Where the chain's data lies: a volume that outlives the container, and of persistent networks the pod. */
  dataPath?: string;
}

/** The environment variable that holds the fork source's URL in every part of a forked network. */
export const forkUrlVariable = 'SLIPWAY_FORK_URL';

export interface EnginePlan {
  parts: EnginePart[];
  /** Each service of the EndpointSet: the part and the port behind it. */
  services: Record<string, { part: string; port: string }>;
  /** What this engine does not reproduce faithfully, for status.message and documents. */
  caveats: string[];
}
