import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { TransactionItem } from '../../../core/api/rest/transaction.ts';
import type { EvmRpc } from '../../../core/evm/rpc.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { AppError } from '../../../core/lib/errors.ts';
import type { FoundSubmission } from '../../../core/outbox/findSubmitted.ts';
import type { Sent } from '../../../core/outbox/send.ts';
import type { FindAccount } from '../../transactions/defaultKey.ts';
import type { NodeOf } from '../../transactions/nodes.ts';
import type { FindAccepted, SubmitFor } from '../../transactions/submitter.ts';

/** A network that a replay sends to. */
export interface ReplayTarget {
  rpc: EvmRpc;
  chainId: string;
  /** What the chain allows one transaction from Osaka on; Ethereum's limit when absent. */
  osakaGasCap?: bigint | undefined;
  /** Address of the caller's default key. */
  caller: string;
  /** The chain that the replay began on. */
  incarnation: string;
  /**
   * Resolves once the transactions are durable. The same idempotency key sends nothing twice; `known` is what was accepted
   * under it, which is sent now if it was not. BadRequest if an item is
   * invalid, Unavailable if a retry may succeed, Conflict if the network has begun another chain.
   */
  send(items: readonly TransactionItem[], idempotencyKey: string, known?: FoundSubmission): Promise<Sent>;
  /** What was accepted under an idempotency key, of which account; undefined if nothing was. */
  findAccepted(idempotencyKey: string): Promise<FoundSubmission | undefined>;
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
  findAccepted: FindAccepted;
  nodeOf: NodeOf;
  findAccount: FindAccount;
}

/** Sends replays in the same way as any other submission. */
export function createOpenTarget({ submitFor, findAccepted, nodeOf }: TargetDeps): OpenTarget {
  return async ({ userId, address, requestId }, network) => {
    const { rpc, chainId, incarnation, osakaGasCap } = await nodeOf(network);
    return {
      rpc,
      chainId,
      incarnation,
      osakaGasCap,
      caller: address,
      async send(items, idempotencyKey, known) {
        if ((await nodeOf(network)).incarnation !== incarnation) throw newChain();
        return submitFor({ userId, network, items, idempotencyKey, requestId, known });
      },
      findAccepted: (idempotencyKey) => findAccepted(network, idempotencyKey),
    };
  };
}

/** What was replayed so far is gone. */
export function newChain(): AppError {
  return new AppError('Conflict', 'the network began a new chain during the replay');
}
