import type { NetworkResource } from '../core/api/resources/network.ts';
import type { Stored } from '../core/kube/kube.ts';
import type { Charge } from './http/limits/price.ts';

/** A contract on one chain of a network. */
export interface ContractPlace {
  network: Stored<NetworkResource>;
  enclaveID: string;
  /** In any case. */
  address: string;
}

/** What features know of the contract at an address, with its ABI as JSON; undefined if they know none. Charges what it reads. */
export type FindContract = (
  place: ContractPlace,
  charge: Charge,
) => Promise<{ name: string; abi: string } | undefined>;

/** One chain of a network. */
interface ChainOfNetwork {
  networkID: string;
  enclaveID: string;
}

/** What a list shows of a contract that was verified. */
export interface VerifiedEntry extends ChainOfNetwork {
  address: string;
  name: string;
  /** Version of the compiler. */
  compiler: string;
  /** How its code compares with its sources. */
  match: string;
  verifiedAt: string;
}

/** The contracts that were verified on this chain; without one, on all chains of the workspace, also those that are gone. */
export type ListContracts = (where: {
  namespace: string;
  chain?: ChainOfNetwork | undefined;
}) => Promise<VerifiedEntry[]>;
