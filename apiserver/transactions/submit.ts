import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { SubmitResponse, SubmittedItem } from '../../core/api/rest/transaction.ts';
import { describeNetwork } from '../../core/api/views/networkView.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { AppError, type ErrorDetail, maxDetails } from '../../core/lib/errors.ts';
import { hashOf } from '../../core/lib/hash.ts';
import { cut } from '../../core/lib/text/foreignText.ts';
import { checkDigest, type FoundSubmission, findSubmitted } from '../../core/outbox/findSubmitted.ts';
import { isUndoneWhole } from '../../core/outbox/sending/repeat.ts';
import { isStorageRefusal } from '../../core/storage/ledger.ts';
import { toPublicError } from '../http/pipeline/errors.ts';
import type { Call, Handler } from '../http/pipeline/handler.ts';
import type { ObjectCache } from '../store/cache.ts';
import type { Find } from '../store/find.ts';
import { forCaller, type Store } from '../store/kubeErrors.ts';
import type { SubmitFor } from './submitter.ts';

export interface SubmitDeps {
  kube: Pick<Store, 'get' | 'list'>;
  networks: Pick<ObjectCache<NetworkResource>, 'byId'>;
  findNetwork: Find<NetworkResource>;
  submitFor: SubmitFor;
}

type SubmissionResult = { hashes: string[]; network: Stored<NetworkResource> } | { error: AppError };

/** Submits to networks in parallel. The transactions of each network are accepted all or none. */
export function submitTransactions(deps: SubmitDeps): Handler<'submitTransactions'> {
  return async (call) => {
    const wanted = Object.entries(call.body.transactions_by_network);
    const outcomes = await Promise.all(
      wanted.map(async ([id, items]): Promise<[string, SubmissionResult]> => {
        return [id, await submitOne(deps, call, { id, items })];
      }),
    );
    const accepted = outcomes.flatMap(([id, outcome]) => ('hashes' in outcome ? [{ id, ...outcome }] : []));
    const failed = outcomes.flatMap(([id, outcome]) =>
      'error' in outcome ? [{ id, error: outcome.error }] : [],
    );
    if (accepted.length === 0) throw nothingAccepted(failed, call);
    const body: SubmitResponse = {
      tx_hashes_by_network: Object.fromEntries(accepted.map(({ id, hashes }) => [id, hashes])),
      ...(failed.length === 0
        ? {}
        : { errors_by_network: Object.fromEntries(failed.map(({ id, error }) => [id, partOf(id, error)])) }),
    };
    const objects = accepted.map(
      ({ network, hashes: { length } }) =>
        `${length} ${length === 1 ? 'transaction' : 'transactions'} on ${describeNetwork(network)}`,
    );
    return { body, objects };
  };
}

interface Batch {
  id: string;
  items: readonly SubmittedItem[];
}

async function submitOne(
  { kube, networks, findNetwork, submitFor }: SubmitDeps,
  call: Call<'submitTransactions'>,
  { id, items }: Batch,
): Promise<SubmissionResult> {
  const { principal, idempotencyMark: idempotencyKey, isRepeated, requestId, log } = call;
  try {
    const { namespace } = principal;
    const confirm = () => call.confirmed.then(() => findNetwork(namespace, id));
    const network = networks.byId(namespace, id) ?? (await confirm());
    // The first attempt may have submitted them, to an incarnation of the network that has ended since.
    const known =
      idempotencyKey && isRepeated
        ? await forCaller(findSubmitted(kube, { namespace, id }, idempotencyKey))
        : undefined;
    const digest = hashOf(items);
    if (known) {
      checkDigest(known, digest);
      if (isSettled(known, network)) return { hashes: known.hashes, network };
    }
    const { hashes, taken } = await submitFor({
      userId: principal.userId,
      network,
      items,
      idempotencyKey,
      digest,
      requestId,
      known,
      confirm,
    });
    // A client may query the node as soon as it has the hashes.
    await taken;
    return { hashes, network };
  } catch (error) {
    const known = toPublicError(error);
    if (known.reason === 'Internal') log.error('a submission failed', { network: id, error: String(error) });
    return { error: known };
  }
}

/** Whether nothing more can come of it. What is open on the present chain, or was undone, becomes a promise, or a new attempt. */
function isSettled(known: FoundSubmission, { status }: Stored<NetworkResource>): boolean {
  if (known.incarnation !== status?.enclaveID) return true;
  return known.results.length > 0 && !isUndoneWhole(known);
}

/** Details with paths relative to the whole request. */
function detailsOf(id: string, error: AppError): ErrorDetail[] {
  const place = `transactions_by_network.${id}`;
  if (error.details.length === 0) return [{ path: place, message: error.message }];
  return error.details.map(({ path, message }) => ({ path: `${place}${path}`, message }));
}

function partOf(id: string, error: AppError) {
  return { reason: error.reason, message: error.message, details: detailsOf(id, error) };
}

interface Failed {
  id: string;
  error: AppError;
}

/**
 * BadRequest, unless a retry may succeed on every network, or must find out what was accepted: a corrected request would send
 * it twice.
 */
function nothingAccepted(
  failed: readonly Failed[],
  { isRepeated }: Pick<Call<'submitTransactions'>, 'isRepeated'>,
): AppError {
  const details = failed.flatMap(({ id, error }) => detailsOf(id, error)).slice(0, maxDetails);
  const list = failed.map(({ id, error }) => `${id}: ${error.message}`).join('; ');
  const isUnknown = failed.some(
    ({ error }) => error.isOutcomeUnknown || error.reason === 'Internal' || (isRepeated && error.isRetryable),
  );
  const outcome = isUnknown ? 'it is not known whether something was accepted' : 'nothing was accepted';
  const message = cut(`${outcome}: ${list}`, 2000);
  const isRetryable = isUnknown || failed.every(({ error }) => error.isRetryable);
  if (!isRetryable) return new AppError('BadRequest', message, { details });
  const waits = failed.map(({ error }) => error.retryAfterSeconds ?? 1);
  const isFull = !isUnknown && failed.every(({ error }) => isStorageRefusal(error));
  const reason = isFull ? 'TooManyRequests' : 'Unavailable';
  return new AppError(reason, message, { details, retryAfterSeconds: Math.max(...waits) });
}
