import type { Access } from '../accounts/accessKeys.ts';
import type { HotKeyKind } from '../accounts/hotKeys.ts';
import type { EngineName, Engines } from '../api/installation.ts';
import type { ChainSpec } from '../api/resources/network.ts';
import type { PluginName } from '../api/resources/plugins.ts';
import type { ErrorDetail } from '../lib/errors.ts';
import type { SystemContracts } from './systemContracts.ts';

/**
 * The seam between the operator and a family of chains. A driver is pure: from what is known of a network it
 * builds the plan of its engine; it reads no cluster and calls no chain.
 */
export interface ChainDriver {
  /** What kind of key privateKeyRef names. */
  hotKeyKind: HotKeyKind;
  /** Addresses that the mnemonic of mnemonicRef stands for, when the family has such a thing. */
  mnemonicAccounts: number;
  /** A chain id for a network that names none, the same for the same `seed` (hex) at each call. */
  generateChainId(seed: string): string;
  /** Why `chainId` may not be used on a network that is (or is not) a fork; undefined when it may. */
  refuseChainId(chainId: string, isFork: boolean): string | undefined;
  /** What of a valid spec cannot be run with these engines, each with its path from `spec` on; none when absent. */
  refuse?(chain: ChainSpec, engines: Engines): ErrorDetail[];
  plan(input: PlanInput): EnginePlan;
}

/** What a plan is made from. Addresses are in the family's own text form. */
export interface PlanInput {
  chain: ChainSpec;
  chainId: string;
  hotAddress?: string;
  mnemonicAddresses: readonly string[];
  /** Of the default keys of the workspace's members: funded where funds cost nothing. */
  memberAddresses?: readonly string[];
  /** The key of m/12381/3600 (EIP-2334) of the mnemonic, in hexadecimal, from which all validators' keys follow. */
  validatorKey?: string;
  fork?: { blockHeight: string };
  /** What a fork copies from its source, where it cannot have all of it: addresses that the installation names. */
  clone?: { accounts: readonly string[]; programs: readonly string[] };
  /** Code that a new chain begins with; without it the chain has none of its system contracts. */
  systemContracts?: SystemContracts;
  /** When the chain begins, in seconds since 1970; undefined until a plan's preparation is over. */
  genesisTime?: number;
  /** 32 secret bytes for a purpose, in hexadecimal: the same for the same network and purpose at each call. */
  deriveSecret(purpose: string): string;
  /** The name under which the other parts of the network reach a part. */
  hostOf(part: string): string;
}

/** A program and what it is given; runs in a container. */
export interface Program {
  engine: EngineName;
  /** In place of the installation's image. */
  image?: string;
  /** In place of the image's entry point. */
  command?: string[];
  args: string[];
  env?: Record<string, string>;
  /** Secrets of the plan by the absolute path of the file in which the program finds them. */
  secretFiles?: Record<string, string>;
}

/** One process of a network, run as one pod. */
export interface EnginePart extends Program {
  name: string;
  /** Programs that run to their end before the engine starts, in this order. They see its files and folders. */
  init?: (Program & { name: string })[];
  /** Text files by absolute path, mounted read-only. */
  files: Record<string, string>;
  /** Ports by name; `readyPort` accepts connections once the process serves. */
  ports: Record<string, number>;
  readyPort: string;
  /** A path that the ready port answers with 2xx over HTTP once the process serves. */
  readyPath?: string;
  /** Where the chain's data lies: a volume that outlives the container, and of persistent networks the pod. */
  dataPath?: string;
  /** A folder in memory in which `init` leaves things for the engine. */
  workPath?: string;
  /** When the chain is lost with this part: when its process ends unasked (default), its data is gone, or never. */
  losesChainWith?: 'process' | 'data' | 'nothing';
  /** The plugin that it belongs to; absent: it runs the chain. */
  plugin?: PluginName;
}

/** The environment variable that holds the fork source's URL in every part of a forked network. */
export const forkUrlVariable = 'SLIPWAY_FORK_URL';
/** The environment variable that holds the pod's address where a program's arguments or environment name it. */
export const podAddressVariable = 'SLIPWAY_POD_IP';

export interface EnginePlan {
  parts: EnginePart[];
  /** Each service of the EndpointSet: the part and the port behind it, and who may use it; everybody when absent. */
  services: Record<string, { part: string; port: string; needs?: Access }>;
  /** What this engine does not reproduce faithfully, for status.message and documents. */
  caveats: string[];
  /** Secret texts by name; parts mount them as files. They never appear in args, env or files. */
  secrets?: Record<string, string>;
  /** For an engine that serves before its chain can be used: what it is asked over JSON-RPC till then. */
  readinessCall?: ReadinessCall;
  /** For a chain that begins at a time which all parts must know beforehand. */
  preparation?: Preparation;
}

/** A call to the service `rpc`. An engine that answers with an error, or otherwise, is not there yet. */
export interface ReadinessCall {
  method: string;
  params: readonly unknown[];
  isAnswer(result: unknown): boolean;
}

/** Runs once in each life of a network, before all parts, so that their images are there when the time is fixed. */
export interface Preparation {
  programs: (Program & { name: string })[];
  /** From the end of the preparation to the beginning of the chain, in seconds. */
  leadSeconds: number;
}
