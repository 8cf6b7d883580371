import type { EngineName } from '../../api/engines.ts';
import { compact } from '../../lib/compact.ts';
import type { EnginePart, Program } from '../driver.ts';

/** One execution client, consensus client and validator client of a network, as the tables of clients see them. */
export interface EthereumNode {
  chainId: string;
  gasLimit: number;
  secondsPerSlot: number;
  /** Receives the tips. */
  feeRecipient: string;
  /** Host names under which the network reaches the three. */
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

/** Where a client finds its own files. */
export const paths = {
  data: '/data',
  genesis: '/etc/slipway/genesis.json',
  /** What validators need to know about the chain. */
  network: '/etc/slipway/network',
  chainConfig: '/etc/slipway/network/config.yaml',
  depositBlock: '/etc/slipway/network/deposit_contract_block.txt',
  jwt: '/etc/slipway/secrets/jwt',
  nodeKey: '/etc/slipway/secrets/node.key',
  validatorKey: '/etc/slipway/secrets/validators.key',
  /** Written by the genesis program: genesis.ssz, config.yaml and whatever else clients look for next to them. */
  beaconGenesis: '/work/genesis',
  keys: '/work/keys',
} as const;

/** How one client is run. Flags are those of the ethereum-package (docs/chains.md), except where a comment says so. */
export interface ClientRow {
  engine: EngineName;
  /** Instead of the image's entry point, where that is a script which passes the arguments through a shell. */
  command?: string[];
  args(node: EthereumNode): string[];
  /** Arguments with which the program exits at once, so that its image can be pulled. */
  probe: readonly string[];
}

export interface ExecutionRow extends ClientRow {
  init?(node: EthereumNode): NonNullable<EnginePart['init']>;
  /** Files next to the genesis. */
  files?(node: EthereumNode): Record<string, string>;
}

export interface ConsensusRow extends ClientRow {
  /** Whether a key file can set its node identity, so that other nodes can be configured to connect to it. */
  hasNodeKey: boolean;
  /** Further arguments of a node that lost its data, and has to get it back from its peers. */
  argsWithoutCopy?: readonly string[];
  /** Undefined: the beacon node does the work of validators, with keystores in the keys folder. */
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

/** The program that pulls an image by starting it briefly. */
export function probeOf(
  name: string,
  row: Pick<ClientRow, 'engine' | 'probe' | 'command'>,
  image?: string,
): Program & { name: string } {
  const { engine, probe, command } = row;
  return { name, engine, args: [...probe], ...compact({ image, command }) };
}
