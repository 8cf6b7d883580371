import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { RecordingResource } from '../../../core/api/resources/recordingResource.ts';
import type { ReplayRequest } from '../../../core/api/rest/replay.ts';
import { describeNetwork } from '../../../core/api/views/networkView.ts';
import { isAppError } from '../../../core/lib/errors.ts';
import { openParts } from '../../../core/recordings/parts.ts';
import { authorize } from '../../http/auth/auth.ts';
import type { Principal } from '../../http/auth/principal.ts';
import type { Handler } from '../../http/pipeline/handler.ts';
import type { Find } from '../../store/find.ts';
import { forCallers, type Store } from '../../store/kubeErrors.ts';
import type { FindAccount } from '../../transactions/defaultKey.ts';
import { streamDryRun, whenDone } from './answer.ts';
import { documentSources, type Part, planReplay, type Source } from './plan.ts';
import { holdRun, type RunDeps } from './run.ts';
import { runParts } from './runParts.ts';
import type { OpenTarget } from './target.ts';

/** Dependencies of a replay. */
export interface ReplayDeps extends RunDeps {
  kube: Store;
  find: Find<RecordingResource>;
  findNetwork: Find<NetworkResource>;
  findAccount: FindAccount;
  openTarget: OpenTarget;
}

/**
 * Replays a recording or a document as the caller, on its networks in parallel, and answers with the outcome of each
 * transaction. Continues if the client disconnects. Repeating the request with its Idempotency-Key returns the outcome
 * or, if this process crashed, continues from what is stored: nothing is sent twice.
 */
export function replayRecording(deps: ReplayDeps): Handler<'replayRecording'> {
  return async ({ principal, body, random, requestId, idempotencyMark, isRepeated }) => {
    // A replay sends transactions.
    if (!body.dryRun) authorize(principal, 'transactions:write');
    const { sources, path } = await sourcesOf(deps, principal, body);
    const parts = await planReplay({
      sources,
      path,
      mapping: body.networkMapping ?? {},
      find: (id) => findOrNone(deps.findNetwork, principal.namespace, id),
    });
    const { address } = await deps.findAccount(principal.userId);
    const objects = parts.map(({ target }) => describeNetwork(target));
    if (body.dryRun) return { stream: streamDryRun(parts), objects };
    const { namespace, workspaceId, userId } = principal;
    const runId = random('replay', 16).toString('hex');
    const run = await holdRun(deps, { namespace, workspaceId, runId });
    const open = (part: Part) => deps.openTarget({ userId, address, requestId }, part.target);
    const work = runParts({ run, runId, parts, open, caller: address, isRepeated, clock: deps.clock });
    // The stream reports it, unless the client is gone.
    work.catch(() => undefined);
    const stream = whenDone(work, deps.clock);
    // Nobody can ask for the outcome again.
    const onEnd = idempotencyMark === undefined ? () => work.finally(run.remove) : async () => undefined;
    return { stream: withEnd(stream, onEnd), objects };
  };
}

/** `onEnd` is called when the stream ends in any way; nobody waits for it. */
async function* withEnd(
  stream: AsyncIterable<string>,
  onEnd: () => Promise<unknown>,
): AsyncGenerator<string> {
  try {
    yield* stream;
  } finally {
    // Whatever is left is swept later.
    void onEnd().catch(() => undefined);
  }
}

async function sourcesOf(
  deps: ReplayDeps,
  { namespace }: Principal,
  { recordingId, replayDocument }: ReplayRequest,
): Promise<{ sources: readonly Source[]; path: string }> {
  if (replayDocument) {
    const path = 'replayDocument.networks';
    return { sources: documentSources(replayDocument.networks, path), path };
  }
  const recording = await deps.find(namespace, recordingId ?? '');
  return { sources: await openParts(forCallers(deps.kube), recording), path: 'recordingId.networks' };
}

async function findOrNone(find: Find<NetworkResource>, namespace: string, id: string) {
  return find(namespace, id).catch((error: unknown) => {
    if (isAppError(error, 'NotFound')) return undefined;
    throw error;
  });
}
