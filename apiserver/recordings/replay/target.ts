import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { TransactionItem } from '../../../core/api/rest/transaction.ts';
import type { EvmRpc } from '../../../core/evm/rpc.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import type { Sent } from '../../../core/outbox/send.ts';
import type { FindAccount } from '../../transactions/defaultKey.ts';
import type { NodeOf } from '../../transactions/nodes.ts';
import type { SubmitFor } from '../../transactions/submitter.ts';

/** A network that a replay sends to. */
export interface ReplayTarget {
  network: Stored<NetworkResource>;
  rpc: EvmRpc;
  /** Address of the caller's default key. */
  caller: string;
  /**
   * Resolves once the transactions are durable. The same idempotency key sends nothing twice and returns the same
   * hashes, in the order of the original items. BadRequest if an item is invalid, Unavailable if a retry may succeed.
   */
  send(items: readonly TransactionItem[], idempotencyKey: string): Promise<Sent>;
}

/** The user of a replay, and its request. */
interface ReplayUser {
  userId: string;
  /** Address of the user's default key. */
  address: string;
  requestId: string;
}

/** Wakes the network if it is stopped. Throws errors that the caller may see. */
export type OpenTarget = (user: ReplayUser, network: Stored<NetworkResource>) => Promise<ReplayTarget>;

export interface TargetDeps {
  submitFor: SubmitFor;
  nodeOf: NodeOf;
  findAccount: FindAccount;
}

/** Sends replays in the same way as any other submission. */
export function createOpenTarget({ submitFor, nodeOf }: TargetDeps): OpenTarget {
  return async ({ userId, address, requestId }, network) => ({
    network,
    rpc: (await nodeOf(network)).rpc,
    caller: address,
    send: (items, idempotencyKey) => submitFor({ userId, network, items, idempotencyKey, requestId }),
  });
}
