import type { NetworkResource } from '../core/api/resources/network.ts';
import type { Stored } from '../core/kube/kube.ts';

/** A contract on one chain of a network. */
export interface ContractPlace {
  network: Stored<NetworkResource>;
  enclaveID: string;
  /** In any case. */
  address: string;
}

/** What features know of the contract at an address; undefined if they know none. */
export type FindContract = (
  place: ContractPlace,
) => Promise<{ name: string; abi: Record<string, unknown>[] } | undefined>;
