import { idOf } from '../../core/api/ids.ts';
import type { TransactionItem } from '../../core/api/rest/transaction.ts';
import type { EvmRpc } from '../../core/evm/rpc.ts';
import type { Kube } from '../../core/kube/kube.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import { AppError } from '../../core/lib/errors.ts';
import { type FoundSubmission, findSubmitted } from '../../core/outbox/findSubmitted.ts';
import type { Sent } from '../../core/outbox/send.ts';
import { type SubmitAsDeps, submitAs } from '../../core/outbox/sending/submitAs.ts';
import type { OrderedRun } from '../../core/replays/runs.ts';
import type { Signers } from '../ports/signers.ts';
import { newChain, type PlaceOf } from './nodes.ts';

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

export interface TargetDeps extends SubmitAsDeps {
  kube: Pick<Kube, 'get' | 'list'>;
  placeOf: PlaceOf;
  ownerOf: Signers['ownerOf'];
}

/** A replay, the address that sends, and the time in which it waits for a network. */
interface Sending {
  run: OrderedRun;
  caller: string;
  clock: Clock;
}

/** Opens the network with this id for what a replay sends, in the same way as any other submission: wakes it if it is stopped. */
export async function openTarget(
  deps: TargetDeps,
  { run, caller, clock }: Sending,
  targetId: string,
): Promise<ReplayTarget> {
  const { namespace } = run.metadata;
  const find = () => deps.placeOf(namespace, targetId, clock);
  const { network, node, rpc } = await find();
  const { chainId, incarnation, osakaGasCap } = node;
  return {
    rpc,
    chainId,
    incarnation,
    osakaGasCap,
    caller,
    async send(items, idempotencyKey, known) {
      const place = await find();
      if (place.node.incarnation !== incarnation) throw newChain();
      const account = deps.ownerOf(run);
      if (!known && account.address !== run.spec.order.caller) throw keyReplaced();
      const { user: userId = '' } = account;
      const { request: requestId } = run.spec.order;
      const about = compact({ requestId, known });
      const submission = { userId, network: place.network, items, idempotencyKey, ...about };
      return submitAs(deps, { account, node: place.node }, submission);
    },
    findAccepted: (idempotencyKey) =>
      findSubmitted(deps.kube, { namespace, id: idOf(network) }, idempotencyKey),
  };
}

/** What was replayed so far belongs to another account, and what follows may depend on that. */
export function keyReplaced(): AppError {
  return new AppError('Conflict', 'your default key was replaced during the replay');
}
