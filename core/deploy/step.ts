import type { ChainReader } from '../evm/chainReader.ts';
import type { AppError } from '../lib/errors.ts';

/** A network that steps are taken on. */
export interface DeployNetwork {
  id: string;
  /** Changes whenever the chain's data may have been lost. */
  incarnation: string;
  /** Tells deployments on one chain apart: another one takes all its own steps again. */
  deployment?: string;
}

/** Addresses of who signs. */
export interface Accounts {
  /** The user: owns the tokens. */
  deployer: string;
  /** The installation: owns what tokens share on a network, and relays. */
  service: string;
}

export type Signer = keyof Accounts;

/** `network id/step name`. */
export type StepId = string;

interface StepCommon {
  /** Id of the network. */
  network: string;
  /** Unique on the network, across all that is ever deployed in the same scope. */
  name: string;
  /** For people: what it does, as a clause. */
  title: string;
  /** Steps that must be done before, on any network. */
  after: readonly StepId[];
}

/** Reads the chain; its values are known to later steps as `name.member`. Never kept: asked again at each run. */
export interface InspectStep extends StepCommon {
  kind: 'inspect';
  inspect(known: Known, chain: ChainReader): Promise<Record<string, string>>;
}

interface SentStep extends StepCommon {
  signer: Signer;
  /**
   * Whose step it is: a scope that tokens share is worked on by all of them, and still each of its steps is taken
   * once, because scope and name make the idempotency key.
   */
  scope: string;
  /** Why the chain refused, in the words of the deployment's arguments, when that can be told. */
  explain?(known: Known, chain: ChainReader): Promise<AppError | undefined>;
}

/** Deploys a contract, whose address is known to later steps under the step's name. */
export interface CreateStep extends SentStep {
  kind: 'create';
  /** Init code with the constructor's arguments. Undefined: no contract is needed. */
  initCode(known: Known): string | undefined;
}

/** A transaction that is not sent when its reads hold already, and whose reads must hold afterwards. */
export interface CallStep extends SentStep {
  kind: 'call';
  /** Undefined: nothing can be done, the reads have to hold as it is. */
  transaction(known: Known): Transaction | undefined;
  reads(known: Known): Read[];
}

export type Step = InspectStep | CreateStep | CallStep;

export interface Transaction {
  /** Absent: creates a contract. */
  to?: string;
  data: string;
  /** In wei. */
  value?: bigint;
}

interface ReadCommon {
  /** For people: what is expected, as a clause. */
  what: string;
  /** `result`: hexadecimal; undefined when the call reverted. */
  isMet(result: string | undefined): boolean;
}

/** A call that changes nothing, and what its answer has to be. */
export interface CallRead extends ReadCommon {
  to: string;
  data: string;
  from?: string;
}

/** What an account has to hold, in wei. */
export interface BalanceRead extends ReadCommon {
  balanceOf: string;
}

export type Read = CallRead | BalanceRead;

/** Addresses and values that earlier steps brought. Throws Internal for one that none has brought. */
export interface Known {
  get(network: string, name: string): string;
  find(network: string, name: string): string | undefined;
}
