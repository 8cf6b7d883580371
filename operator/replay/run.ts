import type { ReplayFailure, ReplayResource, ReplaySpec } from '../../core/api/resources/replayResource.ts';
import { replayType } from '../../core/api/resources/resources.ts';
import type { Kube, Stored } from '../../core/kube/kube.ts';
import { type Clock, parseRfc3339, toRfc3339 } from '../../core/lib/clock.ts';
import { isAppError } from '../../core/lib/errors.ts';
import { lost, openRows, type Rows } from '../../core/replays/rows.ts';

interface RunDeps {
  kube: Pick<Kube, 'get' | 'create' | 'replace' | 'serverTimeMs'>;
  clock: Clock;
  /** Names this process in the runs that it holds. */
  holder: string;
}

/** A replay that this process works on. What it stores lets another process continue it. */
export interface Run {
  /** Whether another process has taken over: then this one must not send anything more. */
  isLost(): boolean;
  rowsOf(network: string): Promise<Rows>;
  /** Whether an earlier attempt may have sent something to the network. */
  hasBegun(network: string): boolean;
  /** The incarnation that the network is replayed on: the given one, or that of an earlier attempt. */
  incarnationOf(network: string, current: string): Promise<string>;
  finish(): Promise<void>;
  /** Nobody works on it any more, until a request repeats it. */
  fail(failure: ReplayFailure): Promise<void>;
  /** Stops holding the run, so that another process can continue it at once. */
  release(): Promise<void>;
  /** Stops renewing the hold: this process can continue the run at any time, others in a minute. */
  lapse(): void;
}

const holdMs = 60_000;
const renewMs = 15_000;

/**
 * Takes a run that nobody works on, or that this process let lapse. Undefined while another process works on it: the former
 * leader, or an API server of a version before 0.4, which performs what it is asked for and honours this hold as well.
 */
export async function holdRun(deps: RunDeps, found: Stored<ReplayResource>): Promise<Run | undefined> {
  const nowMs = await deps.kube.serverTimeMs();
  const isHeld = (parseRfc3339(found.spec.heldUntil) ?? 0) > nowMs;
  if (isHeld && found.spec.holder !== deps.holder) return undefined;
  const held = await write(deps, { ...found, spec: heldBy(found.spec, deps.holder, nowMs) });
  return held && createRun(deps, held);
}

function heldBy(spec: ReplaySpec, holder: string, nowMs: number): ReplaySpec {
  return { ...spec, holder, heldUntil: toRfc3339(nowMs + holdMs) };
}

const nowOf = async ({ kube }: RunDeps): Promise<string> => toRfc3339(await kube.serverTimeMs());

/** Undefined when another process was faster. */
async function write(
  { kube }: RunDeps,
  run: Stored<ReplayResource>,
): Promise<Stored<ReplayResource> | undefined> {
  try {
    return await kube.replace(replayType, run);
  } catch (error) {
    if (isAppError(error, 'Conflict') || isAppError(error, 'NotFound')) return undefined;
    throw error;
  }
}

function createRun(deps: RunDeps, held: Stored<ReplayResource>): Run {
  const hold = createHold(deps, held);
  hold.keep();
  const letGo = async (outcome: Partial<ReplaySpec>) => {
    hold.stop();
    await hold.update(({ heldUntil: _, holder: __, ...spec }) => ({ ...spec, ...outcome }));
  };
  return {
    isLost: hold.isLost,
    rowsOf: (network) => openRows(deps.kube, held, network),
    hasBegun: (network) => hold.spec().incarnations?.[network] !== undefined,
    async incarnationOf(network, current) {
      const known = hold.spec().incarnations?.[network];
      if (known !== undefined) return known;
      await hold.update((spec) => ({ ...spec, incarnations: { ...spec.incarnations, [network]: current } }));
      return current;
    },
    finish: async () => letGo({ finished: true, endedAt: await nowOf(deps) }),
    fail: async (failure) => letGo({ failure, endedAt: await nowOf(deps) }),
    release: () => letGo({}),
    lapse: hold.stop,
  };
}

/** The object of a run, which says who works on it: one write after the other, each over the version before it. */
function createHold(deps: RunDeps, held: Stored<ReplayResource>) {
  const { kube, clock, holder } = deps;
  const stopping = new AbortController();
  let run = held;
  let isLost = false;
  let writing = Promise.resolve();

  async function change(to: (spec: ReplaySpec) => ReplaySpec): Promise<void> {
    const written = await write(deps, { ...run, spec: to(run.spec) });
    if (written) {
      run = written;
      return;
    }
    // An earlier write may have been made although it was not answered.
    const present = await kube.get(replayType, run.metadata);
    isLost = !present || present.spec.holder !== holder;
    if (!present || isLost) throw lost();
    run = present;
    await change(to);
  }

  function update(to: (spec: ReplaySpec) => ReplaySpec): Promise<void> {
    const next = writing.then(() => change(to));
    writing = next.catch(() => undefined);
    return next;
  }

  async function renew(): Promise<void> {
    const nowMs = await kube.serverTimeMs();
    await update((spec) => heldBy(spec, holder, nowMs));
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
