import type { Abi } from '../core/abi/calls.ts';
import type { Client } from '../sdk/src/client.ts';

interface NodeCall {
  method: string;
  params: unknown[];
}

interface NodeAnswer {
  result?: unknown;
  error?: { message: string; data?: unknown } | undefined;
}

export interface NamedContract {
  address: string;
  name: string;
  token?: { symbol: string; role: string } | undefined;
}

/** Reads chains, and what the service knows of the contracts on them. Nothing here wakes a network. */
export interface ChainReads {
  /** What the node of a network says to calls that only read, in their order. */
  ask(id: string, calls: NodeCall[], signal?: AbortSignal): Promise<readonly NodeAnswer[]>;
  /** The ABI of a contract that is verified, or that the service deployed. */
  knownAbi(id: string, address: string): Promise<Abi | undefined>;
  /** The contracts whose names, or those of their tokens, have this part. */
  contractsNamed(id: string, part: string): AsyncIterable<NamedContract>;
}

/** A client of the SDK, and how chains are read; undefined if no feature can. */
export interface ChainClient extends Client {
  chain: ChainReads | undefined;
}
