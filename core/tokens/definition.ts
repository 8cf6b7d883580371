import type { z } from 'zod';
import type { CelRule } from '../api/cel.ts';

/** Where a contract comes from: our own sources or Chainlink's by name, or files of a pinned package. */
export type ContractSource =
  | { own: string }
  | { chainlink: string }
  | PackageSource
  | { permit2: true }
  | CcipSource;

/** A file of a package with ABI and bytecode. Its only library, if it has one, is the named contract of the same suite. */
interface PackageSource {
  package: string;
  artifact: string;
  library?: string;
}

/** CCIP keeps ABI and bytecode apart, by version and name. */
interface CcipSource {
  ccip: string;
}

/** A member of a deployment's args that is wrong, and what to do. */
export interface ArgIssue {
  member: string;
  message: string;
}

/** One endpoint that deploys tokens of a standard. */
export interface DeployEndpoint {
  operationId: `deploy${string}`;
  /** Segments of its path between `token/` and `/deploy`. */
  path: string;
  /** spec.mechanism of the tokens that it deploys. */
  mechanism?: string;
  summary: string;
  /** Describes the request body. */
  description: string;
  /** The body, and the args of a deployment, may name further networks, which take the args of the deployment. */
  takesNetworks?: boolean;
  /** The args of one deployment and `spec`, as shown in the documentation. */
  example: { args: Record<string, unknown>; spec?: Record<string, unknown> };
}

/**
 * What the API, the custom resource, the documents and the build know about a token standard. It is data: schemas,
 * endpoints, examples and suites of contracts are made from it. How tokens are deployed is in `steps.ts` beside it.
 */
export interface TokenDefinition {
  /** spec.type of its tokens. */
  type: string;
  /** Its folder in core/tokens, which is also the name of its suite of contracts. */
  folder: string;
  /** One sentence for docs/tokens.md. */
  description: string;
  /**
   * Args of one deployment. The custom resource holds the same members under the same names, so a member that several
   * standards share must be of one type; the first standard in the registry describes it.
   */
  args: z.core.$ZodLooseShape;
  /** What is wrong with args beyond their shapes; it must tolerate members of other types. */
  issues?: (args: Record<string, unknown>, mechanism: string | undefined) => ArgIssue[];
  /** The rules of `issues` for the custom resource. */
  rules?: readonly CelRule[];
  /** What its contracts accept. */
  decimals: { min: number; max: number };
  /** Members of `spec`; without it, any. */
  settings?: z.ZodType<Record<string, unknown>>;
  /** Members of `spec` that are the defaults of the args of the same name. */
  settingArgs?: readonly string[];
  endpoints: readonly [DeployEndpoint, ...DeployEndpoint[]];
  /**
   * Which of `contracts` are behind tokenAddress (`token`) and the extraAddresses of a deployment, by their names; of
   * a proxy what it stands before. An address that may be either of several has the ABIs of all.
   */
  abis?: Record<string, readonly string[]>;
  /** The contracts of its suite, by the names that its steps use. */
  contracts: Record<string, ContractSource>;
}

/** Checks a definition and keeps its exact type, from which the types of the API follow. */
export function defineToken<const Definition extends TokenDefinition>(definition: Definition): Definition {
  return definition;
}
