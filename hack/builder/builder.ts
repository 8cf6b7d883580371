import { type Clock, toRfc3339 } from '../../core/lib/clock.ts';
import { messageOf } from '../../core/lib/errors.ts';
import type { Log } from '../../core/lib/log.ts';
import type { HeavyEngine } from '../up/heavyEngines.ts';
import { type Failure, failureAfter, retryAtMs } from './backoff.ts';
import type { Published } from './entries.ts';

export interface BuilderDeps {
  /** About how long each engine takes that can be built here, in the order of builds. */
  offers: ReadonlyMap<HeavyEngine, string>;
  /** What networks wait for, and since when, in ms since the epoch. */
  wanted(): ReadonlyMap<string, number>;
  /** Called when something else is wanted, or published by somebody; returns a function that removes the listener. */
  onChange(listener: () => void): () => void;
  read(): Promise<ReadonlyMap<string, Published>>;
  publish(entries: ReadonlyMap<string, Published | undefined>): Promise<void>;
  /** Whether an image that is available is of a former checkout. */
  isOutdated(engine: HeavyEngine, entry: Published): boolean;
  /** Builds the image and brings it into the cluster. Rejects when it cannot, and when `signal` aborts. */
  build(engine: HeavyEngine, signal: AbortSignal): Promise<Published>;
  clock: Clock;
  log: Log;
}

/** The next build, or when to look again. */
type Next = { engine: HeavyEngine; isWanted: boolean } | { restMs: number };

type Entries = ReadonlyMap<string, Published>;

/** A watch may be late. */
const longestRestMs = 600_000;
const troubleMs = 5_000;

/**
 * Builds what networks wait for, one engine at a time, and publishes what it can build, what it does and what it has built.
 * What was built from other sources is built again, because it was wanted once; until then it stays in use.
 */
export function createBuilder(deps: BuilderDeps): { run(signal: AbortSignal): Promise<void> } {
  const failures = new Map<HeavyEngine, Failure>();

  async function turn(signal: AbortSignal): Promise<void> {
    const entries = await deps.read();
    await deps.publish(changesOf(deps, entries, failures));
    const next = nextOf(deps, entries, failures);
    if ('restMs' in next) await rest(deps, next.restMs, signal);
    else await make(deps, { ...next, failures, signal });
  }

  return {
    async run(signal) {
      while (!signal.aborted) {
        try {
          await turn(signal);
        } catch (error) {
          if (signal.aborted) return;
          deps.log.warn('the cluster does not answer', { error: messageOf(error) });
          await deps.clock.sleep(troubleMs, signal).catch(() => undefined);
        }
      }
    },
  };
}

/** What is published of an engine that is not available, while it is not being built. */
function offerOf(takes: string, failure: Failure | undefined): Published {
  if (!failure) return { state: 'Buildable', takes };
  return { state: 'Failed', takes, since: toRfc3339(failure.atMs), reason: failure.reason };
}

function changesOf({ offers }: BuilderDeps, entries: Entries, failures: ReadonlyMap<HeavyEngine, Failure>) {
  const changes = new Map<string, Published | undefined>();
  for (const [engine, takes] of offers) {
    const offer = offerOf(takes, failures.get(engine));
    const found = entries.get(engine);
    if (found?.state !== 'Available' && JSON.stringify(found) !== JSON.stringify(offer))
      changes.set(engine, offer);
  }
  // What an earlier builder could build, and this one cannot.
  for (const [name, { state }] of entries)
    if (state !== 'Available' && ![...offers.keys()].some((engine) => engine === name))
      changes.set(name, undefined);
  return changes;
}

/** What is wanted comes before what is outdated; in the order of builds, the longest last. */
function nextOf(deps: BuilderDeps, entries: Entries, failures: ReadonlyMap<HeavyEngine, Failure>): Next {
  const { offers, clock, isOutdated } = deps;
  const wanted = deps.wanted();
  const nowMs = clock.nowMs();
  const found = [...offers.keys()].flatMap((engine) => {
    const entry = entries.get(engine);
    const isThere = entry?.state === 'Available';
    const isWanted = wanted.has(engine) && !isThere;
    if (!isWanted && !(isThere && isOutdated(engine, entry))) return [];
    const failure = failures.get(engine);
    return [{ engine, isWanted, dueMs: failure ? retryAtMs(failure, wanted.get(engine)) : nowMs }];
  });
  const due = found.filter(({ dueMs }) => dueMs <= nowMs);
  const next = due.find(({ isWanted }) => isWanted) ?? due[0];
  if (next) return { engine: next.engine, isWanted: next.isWanted };
  return { restMs: Math.min(longestRestMs, ...found.map(({ dueMs }) => dueMs - nowMs)) };
}

/** Until something else is wanted or published, at most `restMs`. */
async function rest({ clock, onChange }: BuilderDeps, restMs: number, signal: AbortSignal): Promise<void> {
  const wake = new AbortController();
  const stopListening = onChange(() => wake.abort());
  await clock.sleep(restMs, AbortSignal.any([signal, wake.signal])).catch(() => undefined);
  stopListening();
}

interface Build {
  engine: HeavyEngine;
  isWanted: boolean;
  failures: Map<HeavyEngine, Failure>;
  signal: AbortSignal;
}

async function make(deps: BuilderDeps, { engine, isWanted, failures, signal }: Build): Promise<void> {
  const { clock, log, publish, offers } = deps;
  const since = toRfc3339(clock.nowMs());
  // What is available stays so while it is built again.
  if (isWanted)
    await publish(new Map([[engine, { state: 'Building', takes: offers.get(engine) ?? '', since }]]));
  log.info('building', { engine, isWanted });
  const unwanted = isWanted ? untilUnwanted(deps, engine) : { signal, stop: () => undefined };
  const ends = AbortSignal.any([signal, unwanted.signal]);
  const outcome = await deps.build(engine, ends).catch((error: unknown) => ({ error }));
  unwanted.stop();
  if (!('error' in outcome)) {
    failures.delete(engine);
    await publish(new Map([[engine, outcome]]));
    return log.info('available', { engine });
  }
  if (ends.aborted) return log.info('ended: nobody wants it any more', { engine });
  failures.set(engine, failureAfter(failures.get(engine), outcome.error, clock.nowMs()));
  log.warn('failed', { engine, error: messageOf(outcome.error) });
}

/** Aborts when nobody wants the engine any more. What a build has compiled until then is kept. */
function untilUnwanted({ wanted, onChange }: BuilderDeps, engine: HeavyEngine) {
  const controller = new AbortController();
  const check = () => {
    if (!wanted().has(engine)) controller.abort();
  };
  const stop = onChange(check);
  check();
  return { signal: controller.signal, stop };
}
