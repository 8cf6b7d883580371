import { isDeepStrictEqual } from 'node:util';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { AppError } from '../../core/lib/errors.ts';
import type { Touch } from '../../core/networks/activity.ts';
import type { Sent } from '../../core/outbox/send.ts';
import {
  type Node,
  type SubmitAsDeps,
  submitAs,
  type UserSubmission,
} from '../../core/outbox/sending/submitAs.ts';
import type { FindAccount } from './defaultKey.ts';
import type { Nodes } from './nodes.ts';

/** A submission that may begin before its user is confirmed. */
interface Submission extends Omit<UserSubmission, 'confirmed'> {
  /**
   * Resolves to the network as all replicas know it, once its user is known to be allowed to do this. Until then nothing is
   * written. Absent where that is certain.
   */
  confirm?: (() => Promise<Stored<NetworkResource>>) | undefined;
}

/**
 * Signs a user's transactions with the default key and sends each once. Resolves once the signed bytes are durable.
 * Rejects with BadRequest (the paths of `details` begin with `[<index>]` of the invalid item) or Unavailable; then
 * nothing is sent. Await the outcome with `awaitReceipts` of core/evm/receipts.ts and `nodeOf`.
 */
export type SubmitFor = (submission: Submission) => Promise<Sent>;

export interface SubmitterDeps extends SubmitAsDeps, Pick<Nodes, 'nodeOf' | 'presentNode'> {
  findAccount: FindAccount;
  touch: Touch;
}

export function createSubmitFor(deps: SubmitterDeps): SubmitFor {
  return async ({ confirm, ...submission }) => {
    const node = confirm && deps.presentNode(submission.network);
    if (confirm && node) return submitEarly(deps, { ...submission, confirm }, node);
    const network = confirm ? await confirm() : submission.network;
    return submitOn(deps, { ...submission, network }, await deps.nodeOf(network));
  };
}

/**
 * Asks the node while the user is being confirmed. If the caches were behind, nothing of it counts, and it begins again with
 * what they show by then.
 */
async function submitEarly(
  deps: SubmitterDeps,
  { confirm, ...submission }: Submission & { confirm(): Promise<Stored<NetworkResource>> },
  node: Node,
): Promise<Sent> {
  const presumed = deps.findAccount(submission.userId).catch(() => undefined);
  const latest = confirm();
  const isSame = latest.then(async (network) => {
    const now = deps.presentNode(network);
    if (now?.incarnation !== node.incarnation || !isDeepStrictEqual(now.published, node.published))
      return false;
    return (await deps.findAccount(submission.userId)).address === (await presumed)?.address;
  });
  const confirmed = isSame.then(async (same) => {
    if (!same) throw changed();
    deps.touch(await latest);
  });
  confirmed.catch(() => undefined);
  try {
    return await submitOn(deps, { ...submission, confirmed }, node);
  } catch (error) {
    if (await isSame) throw error;
    const network = await latest;
    return submitOn(deps, { ...submission, network }, await deps.nodeOf(network));
  }
}

function changed(): AppError {
  const message = 'the network or your default key has just changed; retry';
  return new AppError('Unavailable', message, { retryAfterSeconds: 1 });
}

async function submitOn(deps: SubmitterDeps, submission: UserSubmission, node: Node): Promise<Sent> {
  const { userId, items } = submission;
  const known = await deps.findAccount(userId);
  const isOther = items.some(
    ({ from }) => from !== undefined && from.toLowerCase() !== known.address.toLowerCase(),
  );
  // The cached key may have been replaced.
  const account = isOther ? await deps.findAccount(userId, true) : known;
  return submitAs(deps, { account, node }, submission);
}
