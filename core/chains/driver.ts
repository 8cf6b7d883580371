import type { Access } from '../accounts/accessKeys.ts';
import type { HotKeyKind } from '../accounts/hotKeys.ts';
import type { EngineName } from '../api/engines.ts';
import type { ChainSpec } from '../api/resources/network.ts';
import type { PluginName } from '../api/resources/plugins.ts';
import type { EngineSet } from '../engines/engineSet.ts';
import type { EngineNeed } from '../engines/needs.ts';
import type { ErrorDetail } from '../lib/errors.ts';
import type { SystemContracts } from './systemContracts.ts';

/**
 * The interface between the operator and a chain family. A driver is pure: it builds the plan of a network's engine
 * from the known facts. It does not read the cluster and does not call the chain.
 */
export interface ChainDriver {
  /** The kind of key that privateKeyRef names. */
  hotKeyKind: HotKeyKind;
  /** The number of accounts that are derived from the mnemonic of mnemonicRef, if the family has mnemonics. */
  mnemonicAccounts: number;
  /** A chain id for a network that does not name one; the same `seed` (hex) always gives the same id. */
  generateChainId(seed: string): string;
  /** Why `chainId` must not be used on a network that is (or is not) a fork; undefined when it is allowed. */
  refuseChainId(chainId: string, isFork: boolean): string | undefined;
  /** The engines of the plan for a valid spec, each with the path from `spec` on of the member that needs it. */
  engines(chain: ChainSpec): readonly EngineNeed[];
  /** The parts of a valid spec that cannot run on this installation for other reasons, each with its path from `spec` on. */
  refuse?(chain: ChainSpec, set: EngineSet): ErrorDetail[];
  /** The JSON-RPC call that returns the number of the last block, if the family has one. */
  headCall?: HeadCall;
  plan(input: PlanInput): EnginePlan;
}

/** The input of a plan. Addresses are in the family's own text form. */
export interface PlanInput {
  chain: ChainSpec;
  chainId: string;
  hotAddress?: string;
  mnemonicAddresses: readonly string[];
  /** Addresses of the default keys of the workspace's members: funded where funds cost nothing. */
  memberAddresses?: readonly string[];
  /** The key at m/12381/3600 (EIP-2334) of the mnemonic, in hexadecimal; all validator keys derive from it. */
  validatorKey?: string;
  fork?: { blockHeight: string };
  /** What a fork copies from its source when it cannot copy everything: addresses that the installation names. */
  clone?: { accounts: readonly string[]; programs: readonly string[] };
  /** Code that is present on a new chain from the start; without it, the chain has none of its system contracts. */
  systemContracts?: SystemContracts;
  /** The genesis time in seconds since 1970; undefined until a plan's preparation is done. */
  genesisTime?: number;
  /** 32 secret bytes for a purpose, in hexadecimal: always the same for the same network and purpose. */
  deriveSecret(purpose: string): string;
  /** The host name under which the other parts of the network reach a part of the chain, or of a plugin. */
  hostOf(part: string, plugin?: PluginName): string;
  /** The engines of the installation; without them, all are taken to be there. */
  engines?: EngineSet;
}

/** A program and its inputs; runs in a container. */
export interface Program {
  engine: EngineName;
  /** Instead of the installation's image: a reference, or `:` and a tag of that image's repository. */
  image?: string;
  /** Instead of the image's entry point. */
  command?: string[];
  args: string[];
  env?: Record<string, string>;
  /** The plan's secrets, by the absolute path of the file that the program reads. */
  secretFiles?: Record<string, string>;
}

/** One process of a network, run as one pod. */
export interface EnginePart extends Program {
  name: string;
  /** Programs that run to completion before the engine starts, in this order. They see its files and folders. */
  init?: (Program & { name: string })[];
  /** Text files by absolute path, mounted read-only. */
  files: Record<string, string>;
  /** Ports by name; `readyPort` accepts connections once the process serves. */
  ports: Record<string, number>;
  readyPort: string;
  /** A path where the ready port answers with 2xx over HTTP once the process serves. */
  readyPath?: string;
  /** A command in the engine's container that exits with 0 while the engine answers. It is restarted when this fails for minutes. */
  aliveCommand?: string[];
  /** What a launcher in the engine's image (engines/evm-dev/launcher) runs with this part's arguments, so that its pod can start before its network. */
  launches?: readonly string[];
  /** Where the chain's data is stored: a volume that outlives the container and, on persistent networks, the pod. */
  dataPath?: string;
  /** A folder in which a part whose chain may begin from a snapshot expects it, in parts. */
  snapshotPath?: string;
  /** A folder in memory in which `init` leaves files for the engine. */
  workPath?: string;
  /** When the chain is lost with this part: when its process ends unexpectedly (default), when its data is gone, or never. */
  losesChainWith?: 'process' | 'data' | 'nothing';
  /** Whether its process has an id of its own (`anvil_metadata`), by which an answer shows which process gave it. */
  tellsProcess?: boolean;
  /** What its data is a copy of: parts with a copy of the same restore their data from each other. */
  copyOf?: string;
  /** Further arguments of a pod that begins without the data that it had, and has to get it back from its peers. */
  argsWithoutCopy?: string[];
  /** The plugin that it belongs to; absent: it runs the chain. */
  plugin?: PluginName;
}

/** The environment variable with the URL from which a fork reads, in every part of a forked network. */
export const forkUrlVariable = 'SLIPWAY_FORK_URL';
/** The environment variable that is set in every part whose data outlives its pod. */
export const persistentVariable = 'SLIPWAY_PERSISTENT';
/** The environment variable with the name of the snapshot that a chain begins from. */
export const snapshotVariable = 'SLIPWAY_SNAPSHOT';
/** The environment variable with the pod's address, for a program whose arguments or environment use it. */
export const podAddressVariable = 'SLIPWAY_POD_IP';

export interface EnginePlan {
  parts: EnginePart[];
  /**
   * Each service of the EndpointSet: the part and the port behind it, who may use it (everybody when absent), and whether it
   * signs its users in itself.
   */
  services: Record<string, { part: string; port: string; needs?: Access; hasSignIn?: boolean }>;
  /** What this engine does not reproduce faithfully, for status.message and the documentation. */
  caveats: string[];
  /** Secret texts by name; parts mount them as files. They never appear in args, env or files. */
  secrets?: Record<string, string>;
  /** For an engine that serves before its chain is usable: the JSON-RPC call that is repeated until it is. */
  readinessCall?: ReadinessCall;
  /** JSON-RPC calls with which a running engine takes over the values of the spec that its arguments give it at start. */
  settings?: readonly SettingCall[];
  /** For a chain whose genesis time all parts must know in advance. */
  preparation?: Preparation;
}

interface SettingCall {
  method: string;
  params: readonly unknown[];
}

/** A call to the service `rpc`. */
export interface HeadCall {
  method: string;
  params: readonly unknown[];
  /** The block number in the answer; NaN if it has none. */
  blockIn(result: unknown): number;
}

/** A call to the service `rpc`. An engine that returns an error, or another answer, is not ready yet. */
export interface ReadinessCall {
  method: string;
  params: readonly unknown[];
  isAnswer(result: unknown): boolean;
}

/** Runs once per incarnation of a network, before all parts, so that their images are pulled when the time is fixed. */
export interface Preparation {
  programs: (Program & { name: string })[];
  /** From the end of the preparation to the genesis, in seconds. */
  leadSeconds: number;
}
