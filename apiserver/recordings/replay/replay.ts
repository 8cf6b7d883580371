import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { RecordingResource } from '../../../core/api/resources/recordingResource.ts';
import type {
  ReplayFailure,
  ReplayOrder,
  ReplayResource,
} from '../../../core/api/resources/replayResource.ts';
import { replayType } from '../../../core/api/resources/resources.ts';
import type { ReplayRequest } from '../../../core/api/rest/replay.ts';
import { describeNetwork } from '../../../core/api/views/networkView.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { compact } from '../../../core/lib/compact.ts';
import { AppError, isAppError } from '../../../core/lib/errors.ts';
import { openParts } from '../../../core/recordings/parts.ts';
import { openRows } from '../../../core/replays/rows.ts';
import { authorize } from '../../http/auth/auth.ts';
import type { Principal } from '../../http/auth/principal.ts';
import type { Handler, Handlers } from '../../http/pipeline/handler.ts';
import type { Find } from '../../store/find.ts';
import { forCallers, type Store } from '../../store/kubeErrors.ts';
import type { StoredKinds } from '../../store/storedKinds.ts';
import type { FindAccount } from '../../transactions/defaultKey.ts';
import { placeOf, streamAnswer, streamDryRun, whenDone } from './answer.ts';
import { type OrderDeps, orderReplay, repeatReplay, whenPerformed } from './order.ts';
import { documentSources, type Part, planReplay, type Source } from './plan.ts';

/** Dependencies of a replay. */
interface ReplayDeps extends OrderDeps {
  find: Find<RecordingResource>;
  findNetwork: Find<NetworkResource>;
  findAccount: FindAccount;
  clock: Clock;
}

interface ReplayHandlersOptions extends Pick<ReplayDeps, 'replays' | 'clock'> {
  kube: Store;
  kinds: Pick<StoredKinds, 'networks' | 'recordings'>;
  transactions: { findAccount: FindAccount };
}

export function createReplayHandlers({ kube, kinds, transactions, ...rest }: ReplayHandlersOptions) {
  return {
    replayRecording: replayRecording({
      ...rest,
      kube: forCallers(kube),
      find: kinds.recordings.find,
      findNetwork: kinds.networks.find,
      findAccount: transactions.findAccount,
    }),
  } satisfies Handlers;
}

/**
 * Has the operator replay a recording or a document as the caller, and answers with the outcome of each transaction. The
 * operator continues if the client disconnects or this process ends. Repeating the request with its Idempotency-Key returns the
 * outcome: nothing is sent twice.
 */
function replayRecording(deps: ReplayDeps): Handler<'replayRecording'> {
  return async (call) => {
    const { principal, body, random, idempotencyMark } = call;
    // A replay sends transactions.
    if (!body.dryRun) authorize(principal, 'transactions:write');
    const runId = random('replay', 16).toString('hex');
    const canBeRepeated = idempotencyMark !== undefined;
    const former = canBeRepeated && !body.dryRun ? await repeatReplay(deps, { runId, principal }) : undefined;
    if (former)
      return { stream: answer(deps, former, []).stream, objects: former.spec.order.networks.map(nameOf) };
    const { parts, recording } = await planOf(deps, principal, body);
    const { address: caller } = await deps.findAccount(principal.userId);
    const objects = parts.map(({ target }) => describeNetwork(target));
    if (body.dryRun) return { stream: streamDryRun(parts), objects };
    const about = { caller, request: call.requestId, ...recording };
    const run = await orderReplay(deps, { runId, principal, parts, about });
    const { stream, performed } = answer(deps, run, parts);
    return { stream: canBeRepeated ? stream : thenRemoved(deps, stream, performed), objects };
  };
}

const nameOf = ({ target }: { target: string }): string => `network ${target}`;

/** The answer once the operator has performed the run, and the run when it is over. */
function answer(deps: ReplayDeps, run: Stored<ReplayResource>, parts: readonly Part[]) {
  const performed = whenPerformed(deps, run);
  const work = performed.then((over) => outcomeOf(deps, over, parts));
  // The stream reports it, unless the client is gone.
  work.catch(() => undefined);
  return { stream: whenDone(work, deps.clock), performed };
}

/** The text of the answer to a run that is over, of `parts` if it has no order. Rejects with why it failed. */
async function outcomeOf(
  deps: ReplayDeps,
  run: Stored<ReplayResource>,
  parts: readonly Part[],
): Promise<AsyncIterable<string>> {
  if (run.spec.failure) throw errorOf(run.spec.failure);
  const done: Parameters<typeof streamAnswer>[0][number][] = [];
  for (const place of run.spec.order?.networks ?? parts.map(placeOf))
    done.push({ place, rows: await openRows(deps.kube, run, place.recorded) });
  return streamAnswer(done);
}

function errorOf({ reason, message, retryAfterSeconds }: ReplayFailure): AppError {
  return new AppError(reason, message, compact({ retryAfterSeconds }));
}

/**
 * The stream of a request that cannot be repeated. Afterwards the run is removed, once it is over, unless its outcome could not be
 * read. Nobody waits for that, and whatever is left is swept.
 */
async function* thenRemoved(
  { kube }: ReplayDeps,
  stream: AsyncIterable<string>,
  performed: Promise<Stored<ReplayResource>>,
): AsyncGenerator<string> {
  let isBroken = false;
  try {
    yield* stream;
  } catch (error) {
    isBroken = true;
    throw error;
  } finally {
    const remove = async ({ metadata, spec }: Stored<ReplayResource>) => {
      if (isBroken && !spec.failure) return;
      await kube.delete(replayType, metadata, { uid: metadata.uid, propagationPolicy: 'Background' });
    };
    void performed.then(remove).catch(() => undefined);
  }
}

/** What is to be replayed on which networks, and the name of the recording, if it is one. */
async function planOf(deps: ReplayDeps, principal: Principal, body: ReplayRequest) {
  const { sources, path, recording } = await sourcesOf(deps, principal, body);
  const parts = await planReplay({
    sources,
    path,
    mapping: body.networkMapping ?? {},
    find: (id) => findOrNone(deps.findNetwork, principal.namespace, id),
  });
  return { parts, recording };
}

interface Sources {
  sources: readonly Source[];
  path: string;
  /** Which one it is, if it is one. */
  recording: Pick<ReplayOrder, 'recording' | 'recordingUid'>;
}

async function sourcesOf(
  { kube, find }: ReplayDeps,
  { namespace }: Principal,
  { recordingId, replayDocument }: ReplayRequest,
): Promise<Sources> {
  if (replayDocument) {
    const path = 'replayDocument.networks';
    return { sources: documentSources(replayDocument.networks, path), path, recording: {} };
  }
  const found = await find(namespace, recordingId ?? '');
  const sources = await openParts(kube, found);
  const { name, uid } = found.metadata;
  return { sources, path: 'recordingId.networks', recording: { recording: name, recordingUid: uid } };
}

async function findOrNone(find: Find<NetworkResource>, namespace: string, id: string) {
  return find(namespace, id).catch((error: unknown) => {
    if (isAppError(error, 'NotFound')) return undefined;
    throw error;
  });
}
