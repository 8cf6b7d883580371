import { randomBytes } from 'node:crypto';
import { apiVersion, labels } from '../../../core/api/names.ts';
import type { ReplayResource, ReplaySpec } from '../../../core/api/resources/replayResource.ts';
import { replayType } from '../../../core/api/resources/resources.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { type Clock, parseRfc3339, toRfc3339 } from '../../../core/lib/clock.ts';
import { AppError, isAppError } from '../../../core/lib/errors.ts';
import { forCaller, type Store } from '../../store/kubeErrors.ts';
import { lost, openRows, type Rows } from './rows.ts';

export interface RunDeps {
  kube: Pick<Store, 'get' | 'create' | 'replace' | 'delete' | 'serverTimeMs'>;
  clock: Clock;
}

/** A replay that this process works on. What it stores lets another process continue it. */
export interface Run {
  /** Whether an earlier attempt finished: then nothing is left to do. */
  readonly isFinished: boolean;
  /** Whether another process has taken over: then this one must not send anything more. */
  isLost(): boolean;
  rowsOf(network: string): Promise<Rows>;
  /** The incarnation that the network is replayed on: the given one, or that of an earlier attempt. */
  incarnationOf(network: string, current: string): Promise<string>;
  finish(): Promise<void>;
  /** Stops holding the run, so that a repeated request can continue it at once. */
  release(): Promise<void>;
  remove(): Promise<void>;
}

const holdMs = 60_000;
const renewMs = 15_000;
/** How long a repeated request waits for the first one. */
const patienceMs = 10_000;
const pollMs = 200;

/** Takes a new run, or one that nobody works on any more. Throws Conflict while another request works on it. */
export async function holdRun(
  deps: RunDeps,
  { namespace, workspaceId, runId }: { namespace: string; workspaceId: string; runId: string },
): Promise<Run> {
  const holder = randomBytes(8).toString('hex');
  const place = { namespace, name: `replay-${runId}` };
  const endMs = deps.clock.nowMs() + patienceMs;
  for (;;) {
    const found = await forCaller(deps.kube.get(replayType, place));
    if (found?.spec.finished) return createRun(deps, found);
    const nowMs = await forCaller(deps.kube.serverTimeMs());
    if ((parseRfc3339(found?.spec.heldUntil ?? '') ?? 0) <= nowMs) {
      const spec = { role: 'run' as const, ...found?.spec, holder, heldUntil: toRfc3339(nowMs + holdMs) };
      const held = await take(deps, found ?? newRun(place, workspaceId), spec);
      if (held) return createRun(deps, held);
    }
    if (deps.clock.nowMs() >= endMs) {
      const message = 'the replay of this Idempotency-Key is still in progress: retry later';
      throw new AppError('Conflict', message, { retryAfterSeconds: 5 });
    }
    await deps.clock.sleep(pollMs);
  }
}

function newRun(place: { namespace: string; name: string }, workspaceId: string): ReplayResource {
  const own = { [labels.workspace]: workspaceId, [labels.role]: 'run' };
  return { apiVersion, kind: 'Replay', metadata: { ...place, labels: own }, spec: { role: 'run' } };
}

/** Undefined when another process was faster. */
async function take(
  { kube }: RunDeps,
  run: ReplayResource,
  spec: ReplaySpec,
): Promise<Stored<ReplayResource> | undefined> {
  try {
    const write = run.metadata.resourceVersion ? kube.replace : kube.create;
    return await forCaller(write(replayType, { ...run, spec }));
  } catch (error) {
    if (isAppError(error, 'Conflict')) return undefined;
    throw error;
  }
}

function createRun(deps: RunDeps, held: Stored<ReplayResource>): Run {
  const { kube } = deps;
  const hold = createHold(deps, held);
  const isFinished = held.spec.finished === true;
  if (!isFinished) hold.keep();
  const letGo = async (isDone: boolean) => {
    hold.stop();
    await hold.update(({ heldUntil: _, holder: __, ...spec }) => ({
      ...spec,
      ...(isDone ? { finished: true } : {}),
    }));
  };
  return {
    isFinished,
    isLost: hold.isLost,
    rowsOf: (network) => openRows(kube, held, network),
    async incarnationOf(network, current) {
      const known = hold.spec().incarnations?.[network];
      if (known !== undefined) return known;
      await hold.update((spec) => ({ ...spec, incarnations: { ...spec.incarnations, [network]: current } }));
      return current;
    },
    finish: () => letGo(true),
    release: () => letGo(false),
    async remove() {
      hold.stop();
      const { uid } = held.metadata;
      await kube.delete(replayType, held.metadata, { uid, propagationPolicy: 'Background' });
    },
  };
}

/** The object of a run, which says who works on it: one write after the other, each over the version before it. */
function createHold(deps: RunDeps, held: Stored<ReplayResource>) {
  const { kube, clock } = deps;
  const { holder } = held.spec;
  const stopping = new AbortController();
  let run = held;
  let isLost = false;
  let writing = Promise.resolve();

  async function write(change: (spec: ReplaySpec) => ReplaySpec): Promise<void> {
    const written = await take(deps, run, change(run.spec));
    if (written) {
      run = written;
      return;
    }
    // An earlier write may have been made although it was not answered.
    const present = await forCaller(kube.get(replayType, run.metadata));
    isLost = !present || present.spec.holder !== holder;
    if (!present || isLost) throw lost();
    run = present;
    await write(change);
  }

  function update(change: (spec: ReplaySpec) => ReplaySpec): Promise<void> {
    const next = writing.then(() => write(change));
    writing = next.catch(() => undefined);
    return next;
  }

  async function renew(): Promise<void> {
    const heldUntil = toRfc3339((await kube.serverTimeMs()) + holdMs);
    await update((spec) => ({ ...spec, heldUntil }));
  }

  async function renewUntilStopped(): Promise<void> {
    while (!stopping.signal.aborted) {
      await clock.sleep(renewMs, stopping.signal).catch(() => undefined);
      if (!stopping.signal.aborted) await renew().catch(() => undefined);
    }
  }

  return {
    spec: () => run.spec,
    isLost: () => isLost,
    update,
    keep: () => void renewUntilStopped(),
    stop: () => stopping.abort(),
  };
}
