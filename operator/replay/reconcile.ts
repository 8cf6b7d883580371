import type { ShareOf } from '../../core/accounts/shares/shares.ts';
import { annotations, labels } from '../../core/api/names.ts';
import type { ReplayFailure } from '../../core/api/resources/replayResource.ts';
import { replayType } from '../../core/api/resources/resources.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { keyOf, refOf } from '../../core/kube/objects.ts';
import type { Outages } from '../../core/kube/outages.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import { AppError, isAppError, messageOf } from '../../core/lib/errors.ts';
import type { Log } from '../../core/lib/log.ts';
import { isLost } from '../../core/replays/rows.ts';
import { isOrdered, isOver, type OrderedRun, runIdOf } from '../../core/replays/runs.ts';
import type { KeyHolder } from '../ports/signers.ts';
import type { Reconcile, ReconcileResult } from '../runtime/controller.ts';
import { type ContractRoom, createContractRoom, roomIsFull } from './contractRoom.ts';
import { openOrder } from './parts.ts';
import { holdRun, type Run } from './run.ts';
import { runParts } from './runParts.ts';
import { keyReplaced, openTarget, type TargetDeps } from './target.ts';

export interface PerformDeps extends TargetDeps {
  /** The account whose share of the work a workspace uses; by default its own. */
  shareOf?: ShareOf;
  kube: Pick<Kube, 'get' | 'list' | 'create' | 'replace' | 'serverTimeMs'>;
  /** Whether an error of the cluster passes by itself. */
  isOutage: Outages['isOutage'];
  clock: Clock;
  log: Log;
  /** Names this process in the runs that it holds. */
  holder: string;
}

/** How soon a run is looked at again that another process holds, and one that had no room. */
const laterMs = 5_000;
const noRoomMs = 30_000;

/**
 * Performs an ordered run, or what is left of it. Its outcome, or why it failed, is stored in it. If this process ends meanwhile,
 * the next one continues. Rejects when the cluster cannot be used at the moment: it continues after the back-off.
 */
export function createReplayReconcile(deps: PerformDeps): Reconcile {
  const openRoom = createContractRoom();
  return async (key, signal) => {
    const ordered = await deps.kube.get(replayType, refOf(key));
    if (!isOrdered(ordered) || isOver(ordered)) return { state: 'Over' };
    const run = await holdRun(deps, ordered);
    if (!run) return { state: 'Held', requeueAfterMs: laterMs };
    const { namespace } = ordered.metadata;
    const room = openRoom(deps.shareOf?.(namespace) ?? namespace);
    try {
      await performAll(deps, { ordered, run, room }, signal);
      await run.finish();
      return { state: 'Finished' };
    } catch (error) {
      return await end(deps, { ordered, run }, { error, isStopping: signal.aborted });
    } finally {
      room.close();
    }
  };
}

interface Work {
  ordered: OrderedRun;
  run: Run;
  room: ContractRoom;
}

/** What comes of a run that was not finished. */
async function end(
  { log, isOutage }: PerformDeps,
  { ordered, run }: Omit<Work, 'room'>,
  { error, isStopping }: { error: unknown; isStopping: boolean },
): Promise<ReconcileResult> {
  if (isStopping && !run.isLost()) {
    await run.release();
    return { state: 'Released' };
  }
  // A release would be a change, and so be tried again at once.
  if (run.isLost() || isLost(error) || error === roomIsFull) {
    run.lapse();
    return { state: 'Later', requeueAfterMs: error === roomIsFull ? noRoomMs : laterMs };
  }
  if (isOutage(error)) {
    run.lapse();
    throw error;
  }
  log.warn('a replay failed', { replay: keyOf(ordered.metadata), reason: messageOf(error) });
  await run.fail(failureOf(error));
  return { state: 'Failed' };
}

async function performAll(
  deps: PerformDeps,
  { ordered, run, room }: Work,
  signal: AbortSignal,
): Promise<void> {
  if (ordered.metadata.annotations?.[annotations.restoredFrom] !== undefined) throw restored();
  const clock = endingWith(deps.clock, signal);
  if (ordered.metadata.labels?.[labels.owner] === undefined) throw unowned();
  const { address: caller } = await callerOf(deps, ordered);
  const { order } = ordered.spec;
  const hasBegun = order.networks.some(({ recorded }) => run.hasBegun(recorded));
  if (caller !== order.caller && !hasBegun) throw keyReplaced();
  await runParts({
    run,
    runId: runIdOf(ordered),
    parts: await openOrder(deps.kube, ordered),
    open: ({ targetId }) => openTarget(deps, { run: ordered, caller, clock }, targetId),
    caller,
    isLost: () => run.isLost() || signal.aborted,
    isOutage: deps.isOutage,
    clock,
    room,
  });
}

/** It was asked for on the chains of another installation. */
function restored(): AppError {
  const remedy = `ask for another one, or apply its manifest without the annotation ${annotations.restoredFrom}`;
  return new AppError('Conflict', `the installation was restored from a backup during the replay: ${remedy}`);
}

/** Whose key signs must not be a guess. */
function unowned(): AppError {
  return new AppError('Conflict', 'the replay names no owner: repeat the request with its Idempotency-Key');
}

/** A cache that is behind has another default key, or none; after this time the caller has replaced it. */
const settledMs = 2_000;
const pollMs = 100;

async function callerOf({ ownerOf, clock }: PerformDeps, run: OrderedRun): Promise<KeyHolder> {
  const endMs = clock.steadyMs() + settledMs;
  const find = async () => ownerOf(run);
  for (;;) {
    const owner = await find().catch(() => undefined);
    if (owner?.address === run.spec.order.caller) return owner;
    if (clock.steadyMs() >= endMs) return find();
    await clock.sleep(pollMs);
  }
}

/** Ends a wait when the process has to end. */
function endingWith(clock: Clock, ending: AbortSignal): Clock {
  return {
    ...clock,
    sleep: (delayMs, signal) => clock.sleep(delayMs, signal ? AbortSignal.any([signal, ending]) : ending),
  };
}

/** What the caller may see of an error: of the cluster, only that it cannot be used. */
function failureOf(error: unknown): ReplayFailure {
  if (isAppError(error)) {
    const { reason, message, retryAfterSeconds } = error;
    const isOwn = reason === 'BadRequest' || reason === 'Conflict' || reason === 'Unavailable';
    if (isOwn) return { reason, message, ...compact({ retryAfterSeconds }) };
  }
  const message = 'the cluster cannot process the request at the moment; retry';
  return { reason: 'Unavailable', message, retryAfterSeconds: 5 };
}
