import type { EngineName } from '../../api/installation.ts';
import { compact } from '../../lib/compact.ts';
import type { EnginePart, Program } from '../driver.ts';

/** One execution client, consensus client and validator client of a network, as the rows of clients see them. */
export interface EthereumNode {
  chainId: string;
  gasLimit: number;
  secondsPerSlot: number;
  /** Gets the tips. */
  feeRecipient: string;
  /** Names under which the network reaches the three. */
  hosts: { execution: string; consensus: string };
  /** Nodes to connect to: `enode://…@host:port` and `/dns4/…/p2p/…`. */
  peers: { execution: readonly string[]; consensus: readonly string[] };
  /** How many nodes there are. */
  size: number;
}

/** Ports are the same for each client. */
export const ports = { rpc: 8545, ws: 8546, engine: 8551, execution: 30_303 } as const;
export const beaconPorts = { rest: 3500, rpc: 4000, consensus: 13_000 } as const;
export const validatorPorts = { metrics: 8081 } as const;

/** Where a client finds what is its own. */
export const paths = {
  data: '/data',
  genesis: '/etc/slipway/genesis.json',
  /** What validators need to know of the chain. */
  network: '/etc/slipway/network',
  chainConfig: '/etc/slipway/network/config.yaml',
  depositBlock: '/etc/slipway/network/deposit_contract_block.txt',
  jwt: '/etc/slipway/secrets/jwt',
  nodeKey: '/etc/slipway/secrets/node.key',
  validatorKey: '/etc/slipway/secrets/validators.key',
  /** Written by the genesis program: genesis.ssz, config.yaml and what else clients look for beside them. */
  beaconGenesis: '/work/genesis',
  keys: '/work/keys',
} as const;

/** How one client is run. Flags are those of the ethereum-package (docs/chains.md), except where a comment says so. */
export interface ClientRow {
  engine: EngineName;
  args(node: EthereumNode): string[];
  /** Arguments with which the program ends at once, so that its image can be fetched. */
  probe: readonly string[];
}

export interface ExecutionRow extends ClientRow {
  init?(node: EthereumNode): NonNullable<EnginePart['init']>;
  /** Files beside the genesis. */
  files?(node: EthereumNode): Record<string, string>;
}

export interface ConsensusRow extends ClientRow {
  /** Whether its name among nodes can be given by a key file, so that others can be told to connect to it. */
  hasNodeKey: boolean;
  /** Undefined: the beacon node does what validators do, from keystores in the folder of keys. */
  validator?: ClientRow & { keys: 'wallet' | 'keystores' };
}

/** The address of the execution client's authenticated interface. */
export function engineUrlOf({ hosts }: EthereumNode): string {
  return `http://${hosts.execution}:${ports.engine}`;
}

/** The address of the beacon node's REST interface. */
export function beaconUrlOf({ hosts }: EthereumNode): string {
  return `http://${hosts.consensus}:${beaconPorts.rest}`;
}

/** The program that fetches an image by starting it for a moment. */
export function probeOf(
  name: string,
  row: Pick<ClientRow, 'engine' | 'probe'>,
  image?: string,
): Program & { name: string } {
  return { name, engine: row.engine, args: [...row.probe], ...compact({ image }) };
}
