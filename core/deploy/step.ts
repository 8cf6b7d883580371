import type { ChainReader } from '../evm/chainReader.ts';
import type { AppError } from '../lib/errors.ts';

/** A network on which steps are performed. */
export interface DeployNetwork {
  id: string;
  /** Changes whenever the chain's data may have been lost. */
  incarnation: string;
  /** Distinguishes deployments on one chain: a new one performs all of its own steps again. */
  deployment?: string;
}

/** Addresses of the signers. */
export interface Accounts {
  /** The user: owns the tokens. */
  deployer: string;
  /** The installation: owns the contracts that tokens share on a network, and relays messages. */
  service: string;
}

export type Signer = keyof Accounts;

/** `network id/step name`. */
export type StepId = string;

interface StepCommon {
  /** Id of the network. */
  network: string;
  /** Unique on the network, among everything that is ever deployed in the same scope. */
  name: string;
  /** For people: what the step does, as a clause. */
  title: string;
  /** Steps that must be done first, on any network. */
  after: readonly StepId[];
}

/** Reads the chain; later steps know its values as `name.member`. They are not stored: each run reads them again. */
export interface InspectStep extends StepCommon {
  kind: 'inspect';
  inspect(known: Known, chain: ChainReader): Promise<Record<string, string>>;
}

interface SentStep extends StepCommon {
  signer: Signer;
  /**
   * Whose step it is. Several tokens may work on a scope that they share; each of its steps is still performed once,
   * because the idempotency key consists of scope and name.
   */
  scope: string;
  /** Why the chain refused, in terms of the deployment's args, if that can be determined. */
  explain?(known: Known, chain: ChainReader): Promise<AppError | undefined>;
}

/** Deploys a contract; later steps know its address under the step's name. */
export interface CreateStep extends SentStep {
  kind: 'create';
  /** Init code with the constructor's arguments. Undefined when no contract is needed. */
  initCode(known: Known): string | undefined;
}

/** A transaction whose reads must hold afterwards; it is not sent when they hold already. */
export interface CallStep extends SentStep {
  kind: 'call';
  /** Undefined when there is nothing to send: the reads must hold as things are. */
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
  /** The account that this payment is to fund: of payments that are needed at the same time, only one is sent. */
  funds?: string;
}

interface ReadCommon {
  /** For people: what must be true, as a clause. */
  what: string;
  /** `result`: hexadecimal; undefined when the call reverted. */
  isMet(result: string | undefined): boolean;
}

/** An eth_call and what it must return. */
export interface CallRead extends ReadCommon {
  to: string;
  data: string;
  from?: string;
}

/** What an account must hold, in wei. */
export interface BalanceRead extends ReadCommon {
  balanceOf: string;
}

/** The code that an address must have. */
export interface CodeRead extends ReadCommon {
  codeOf: string;
}

export type Read = CallRead | BalanceRead | CodeRead;

/** Addresses and values from earlier steps. Throws Internal for one that no step has provided. */
export interface Known {
  get(network: string, name: string): string;
  find(network: string, name: string): string | undefined;
}
