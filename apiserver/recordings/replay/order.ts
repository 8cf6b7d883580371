import { labels } from '../../../core/api/names.ts';
import type { ReplayOrder, ReplayResource } from '../../../core/api/resources/replayResource.ts';
import { replayType } from '../../../core/api/resources/resources.ts';
import type { Reflector } from '../../../core/kube/cache/reflector.ts';
import { createOrFind } from '../../../core/kube/createOrFind.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { versionOf } from '../../../core/kube/objects.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { isOrdered, isOver, newRun, type OrderedRun } from '../../../core/replays/runs.ts';
import { storeSource } from '../../../core/replays/sources.ts';
import type { Principal } from '../../http/auth/principal.ts';
import type { forCallers } from '../../store/kubeErrors.ts';
import { updateLive } from '../../store/updateLive.ts';
import { placeOf } from './answer.ts';
import type { Part } from './plan.ts';

export interface OrderDeps {
  kube: ReturnType<typeof forCallers>;
  replays: Pick<Reflector<ReplayResource>, 'waitFor'>;
}

/** What a request asks for. */
export interface Wanted {
  /** The same at each repetition of a request with an Idempotency-Key. */
  runId: string;
  principal: Principal;
  parts: readonly Part[];
  /** Where they are from, and who sends them. */
  about: Pick<ReplayOrder, 'caller' | 'request' | 'recording' | 'recordingUid'>;
}

/** The run that an earlier attempt of the request has ordered. One that failed is continued. */
export async function repeatReplay(
  { kube }: OrderDeps,
  { runId, principal }: Pick<Wanted, 'runId' | 'principal'>,
): Promise<OrderedRun | undefined> {
  const found = await kube.get(replayType, newRun(runId, principal).metadata);
  if (!isOrdered(found)) return undefined;
  const { order } = found.spec;
  const run = await placeOrder(kube, found, { principal, order });
  return isOrdered(run) ? run : undefined;
}

/**
 * Orders a replay, which the operator performs. Another attempt of the request may have ordered it meanwhile. A run of an earlier
 * version that is finished has no order.
 */
export async function orderReplay(
  { kube }: OrderDeps,
  { runId, principal, parts, about }: Wanted,
): Promise<Stored<ReplayResource>> {
  const { object: run, isNew } = await findOrCreate(kube, newRun(runId, principal));
  const isUnordered = run.spec.order === undefined && !isOver(run);
  const refused = async (error: unknown) => {
    if (isNew) await forget(kube, run);
    throw error;
  };
  const order = isUnordered ? await createOrder(kube, run, { parts, about }).catch(refused) : run.spec.order;
  return order === undefined ? run : placeOrder(kube, run, { principal, order });
}

/** Writes the order, or removes a failure. */
function placeOrder(
  kube: OrderDeps['kube'],
  run: Stored<ReplayResource>,
  { principal, order }: { principal: Principal; order: ReplayOrder },
): Promise<Stored<ReplayResource>> {
  return updateLive(kube, { type: replayType, ...refOfRun(run), absent: removed }, (current) => {
    const { failure, endedAt: _, ...spec } = current.spec;
    if (spec.finished || (spec.order && !failure)) return current;
    return { ...current, metadata: ownedBy(current, principal), spec: { ...spec, order } };
  });
}

/** Runs of earlier versions have no owner. Whoever repeats a request is who made it. */
function ownedBy(
  { metadata }: Stored<ReplayResource>,
  { userId }: Principal,
): Stored<ReplayResource>['metadata'] {
  return { ...metadata, labels: { ...metadata.labels, [labels.owner]: userId } };
}

/** The storage budget is asked only for what is not there yet. */
async function findOrCreate(kube: OrderDeps['kube'], run: ReplayResource) {
  const found = await kube.get(replayType, run.metadata);
  return found ? { object: found, isNew: false } : createOrFind(kube, replayType, run);
}

/** What was stored of a document goes with its run. A run that somebody else has changed stays, and what is left is swept. */
async function forget(kube: OrderDeps['kube'], { metadata }: Stored<ReplayResource>): Promise<void> {
  const { uid, resourceVersion } = metadata;
  const options = { uid, resourceVersion, propagationPolicy: 'Background' as const };
  await kube.delete(replayType, metadata, options).catch(() => undefined);
}

/** Stores the document, if it is one: the operator has nothing of the request but what is stored. */
async function createOrder(
  kube: OrderDeps['kube'],
  run: Stored<ReplayResource>,
  { parts, about }: Pick<Wanted, 'parts' | 'about'>,
): Promise<ReplayOrder> {
  const networks: ReplayOrder['networks'] = [];
  for (const part of parts) {
    const place = placeOf(part);
    if (about.recording !== undefined) networks.push(place);
    else
      networks.push({
        ...place,
        texts: await storeSource(kube, run, { id: place.recorded, read: part.read }),
      });
  }
  return { ...about, networks };
}

/** How often it is asked whether a run is still there. */
const lookMs = 30_000;

/** Resolves to the run when it is finished or has failed. A look that fails tells nothing. */
export async function whenPerformed(
  { kube, replays }: OrderDeps,
  run: Stored<ReplayResource>,
): Promise<Stored<ReplayResource>> {
  const { uid } = run.metadata;
  const isNews = (one: Stored<ReplayResource>) =>
    one.metadata.uid === uid && versionOf(one) >= versionOf(run) && isOver(one);
  let latest = run;
  while (!isOver(latest)) {
    const news = await replays.waitFor(isNews, { timeoutMs: lookMs });
    const live = news ?? (await kube.get(replayType, refOfRun(run)).catch(() => latest));
    if (live?.metadata.uid !== uid) throw removed();
    latest = live;
  }
  return latest;
}

const refOfRun = ({ metadata: { namespace, name } }: Stored<ReplayResource>) => ({ namespace, name });

function removed(): AppError {
  const message = 'the replay was removed before it was done';
  return new AppError('Unavailable', message, { retryAfterSeconds: 5 });
}
