import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { RecordingResource } from '../../../core/api/resources/recordingResource.ts';
import type {
  RecordedNetworks,
  ReplayedTransaction,
  ReplayRequest,
  ReplayResponse,
} from '../../../core/api/rest/replay.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { isAppError, messageOf } from '../../../core/lib/errors.ts';
import { authorize } from '../../http/auth/auth.ts';
import type { Principal } from '../../http/auth/principal.ts';
import type { Handler } from '../../http/pipeline/handler.ts';
import type { Find } from '../../store/find.ts';
import type { Store } from '../../store/kubeErrors.ts';
import type { FindAccount } from '../../transactions/defaultKey.ts';
import { readData } from '../data.ts';
import { toUnmined } from './compare.ts';
import { perform } from './perform.ts';
import { type Part, planReplay } from './plan.ts';
import type { OpenTarget, ReplayTarget } from './target.ts';

/** Dependencies of a replay. */
export interface ReplayDeps {
  kube: Pick<Store, 'list'>;
  find: Find<RecordingResource>;
  findNetwork: Find<NetworkResource>;
  findAccount: FindAccount;
  openTarget: OpenTarget;
  clock: Clock;
}

/**
 * Replays a recording or a document as the caller, on its networks in parallel, and answers with the outcome of each
 * transaction. Continues if the client disconnects: repeating the request with its Idempotency-Key returns the outcome
 * and sends nothing twice.
 */
export function replayRecording(deps: ReplayDeps): Handler<'replayRecording'> {
  return async ({ principal, body, random, requestId }) => {
    // A replay sends transactions.
    if (!body.dryRun) authorize(principal, 'transactions:write');
    const { networks, path } = await sourceOf(deps, principal, body);
    const parts = await planReplay({
      networks,
      path,
      mapping: body.networkMapping ?? {},
      find: (id) => findOrNone(deps.findNetwork, principal.namespace, id),
    });
    const { address } = await deps.findAccount(principal.userId);
    const user = { userId: principal.userId, address, requestId };
    const runId = random('replay', 16).toString('hex');
    const outcomes = body.dryRun
      ? parts.map(dryRunOf)
      : await Promise.all(
          parts.map(async (part) => {
            const open = () => deps.openTarget(user, part.target);
            return replayPart(deps, part, { runId, open });
          }),
        );
    return { body: answerOf(parts, outcomes, body.dryRun === true), objects: parts.map(describePart) };
  };
}

async function sourceOf(
  deps: ReplayDeps,
  { namespace }: Principal,
  { recordingId, replayDocument }: ReplayRequest,
): Promise<{ networks: RecordedNetworks; path: string }> {
  if (replayDocument) return { networks: replayDocument.networks, path: 'replayDocument.networks' };
  const recording = await deps.find(namespace, recordingId ?? '');
  return { networks: await readData(deps.kube, recording), path: 'recordingId.networks' };
}

async function findOrNone(find: Find<NetworkResource>, namespace: string, id: string) {
  return find(namespace, id).catch((error: unknown) => {
    if (isAppError(error, 'NotFound')) return undefined;
    throw error;
  });
}

/** A network that cannot be used does not affect the others: its transactions are reported as skipped. */
async function replayPart(
  { clock }: ReplayDeps,
  { transactions }: Part,
  { runId, open }: { runId: string; open: () => Promise<ReplayTarget> },
): Promise<ReplayedTransaction[]> {
  if (transactions.length === 0) return [];
  try {
    return await perform({ target: await open(), transactions, runId, clock });
  } catch (error) {
    if (!isAppError(error)) throw error;
    return transactions.map((transaction) => toUnmined(transaction, `not sent: ${messageOf(error)}`));
  }
}

/** The result after all checks that are possible without sending. */
function dryRunOf({ transactions }: Part): ReplayedTransaction[] {
  return transactions.map(({ hash }) => ({ original_hash: hash, status: 'skipped', match: false }));
}

function answerOf(
  parts: readonly Part[],
  outcomes: readonly ReplayedTransaction[][],
  isDryRun: boolean,
): ReplayResponse {
  const ids = parts.map(({ target }) => target.metadata.uid);
  return {
    success: isDryRun || outcomes.every((transactions) => transactions.every(({ match }) => match)),
    transactions: Object.fromEntries(ids.map((id, index) => [id, outcomes[index] ?? []])),
    networks: ids,
    totalTransactions: parts.reduce((sum, { transactions }) => sum + transactions.length, 0),
    appliedNetworkMapping: Object.fromEntries(
      parts.map(({ recordedId }, index) => [recordedId, ids[index] ?? '']),
    ),
  };
}

function describePart({ target }: Part): string {
  return `network ${target.metadata.name} (${target.metadata.uid})`;
}
