import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { TransactionItem } from '../../../core/api/rest/transaction.ts';
import type { EvmRpc } from '../../../core/evm/rpc.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import type { Sent } from '../../../core/outbox/send.ts';
import type { FindAccount } from '../../transactions/defaultKey.ts';
import type { NodeOf } from '../../transactions/nodes.ts';
import type { SubmitFor } from '../../transactions/submitter.ts';

/** A network as a replay uses it. */
export interface ReplayTarget {
  network: Stored<NetworkResource>;
  rpc: EvmRpc;
  /** Address of the caller's default key. */
  caller: string;
  /**
   * Resolves once nothing can be lost any more. The same idempotency key sends nothing twice and gives the same hashes, in the
   * order of the items of the first time. BadRequest when an item is wrong, Unavailable when it may work later.
   */
  send(items: readonly TransactionItem[], idempotencyKey: string): Promise<Sent>;
}

/** Whose replay it is, and in which request. */
interface Player {
  userId: string;
  /** Address of the user's default key. */
  address: string;
  requestId: string;
}

/** Wakes the network when it sleeps. Throws what the caller shall be told. */
export type OpenTarget = (player: Player, network: Stored<NetworkResource>) => Promise<ReplayTarget>;

export interface TargetDeps {
  submitFor: SubmitFor;
  nodeOf: NodeOf;
  findAccount: FindAccount;
}

/** A replay is sent as any other submission is. */
export function createOpenTarget({ submitFor, nodeOf }: TargetDeps): OpenTarget {
  return async ({ userId, address, requestId }, network) => ({
    network,
    rpc: (await nodeOf(network)).rpc,
    caller: address,
    send: (items, idempotencyKey) => submitFor({ userId, network, items, idempotencyKey, requestId }),
  });
}
