import type { Clock } from '../../lib/clock.ts';
import { isAppError, messageOf } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import { backoffMs } from '../../lib/work/backoff.ts';
import { newPastReading, type PastReading, readPast } from './pastReading.ts';
import type { ReadPast } from './readPast.ts';
import { type Reading, readSegment, type Segment } from './segment.ts';
import type { WatchedObjects } from './watchedObjects.ts';

/** What came before a log began, as far as somebody asks for it and kube-apiserver remembers it. */
export interface Prefix {
  read(namespace: string, after: bigint): Reading;
  /** Resolves when the prefix begins at `after` or before; false if that is gone. */
  extend(after: bigint): Promise<boolean>;
  drop(): void;
}

export interface PrefixOptions {
  readPast: ReadPast;
  clock: Clock;
  log: Log;
  /** Called for each read of the past. */
  onRead(): void;
  onEntry(namespace: string): void;
  /** Called when all readers may have something to read. */
  onAll(): void;
  /** How often a read that breaks is tried; without end when absent. */
  maxAttempts?: number;
}

interface Target {
  /** What the prefix leads up to. */
  main: Pick<Segment, 'start'>;
  /** The prefix has reached the start of the log. */
  onComplete(segment: Segment): void;
  /** What comes after the prefix is gone. */
  onLost(segment: Segment, objects: WatchedObjects): void;
}

/** Readers that resume at the same time share one read, from the oldest revision among them. */
const gatherMs = 50;
const backoff = { baseMs: 500, maxMs: 15_000 };

/**
 * One read of the past at a time, shared by all readers. It goes on until it reports a change or a bookmark from the time
 * of the log, because only that proves that nothing before it is missing. They read from it meanwhile: nobody waits.
 */
export function createPrefix(options: PrefixOptions, { main, onComplete, onLost }: Target): Prefix {
  let session: PastReading | undefined;
  let gone = -1n;

  function finish(own: PastReading, outcome: 'complete' | 'lost' | 'dropped'): void {
    const { segment, objects, after } = own;
    if (outcome === 'complete' && session === own && segment) onComplete(segment);
    const reached = segment?.position ?? after;
    if (outcome === 'lost' && reached > gone) gone = reached;
    if (outcome === 'lost' && segment && objects) onLost(segment, objects);
    if (session === own) session = undefined;
    own.stop.abort();
    own.opened.resolve(outcome !== 'lost');
    options.onAll();
  }

  function open(after: bigint): PastReading {
    const replaced = session;
    const own = newPastReading(after);
    session = own;
    replaced?.stop.abort();
    replaced?.opened.resolve(own.opened.promise);
    void readWithRetries(options, own, main).then((outcome) => finish(own, outcome));
    return own;
  }

  return {
    read(namespace, after) {
      const segment = session?.segment;
      return segment && after >= segment.start ? readSegment(segment, namespace, after) : 'behind';
    },
    async extend(after) {
      if (after <= gone) return false;
      if (session && after < session.after && !session.hasBegun) session.after = after;
      const own = session && session.after <= after ? session : open(after);
      return own.opened.promise;
    },
    drop() {
      gone = -1n;
      if (session) finish(session, 'dropped');
    },
  };
}

/** Reads until the past is complete. What kube-apiserver has forgotten is lost; other failures are tried again. */
async function readWithRetries(
  options: PrefixOptions,
  own: PastReading,
  main: Target['main'],
): Promise<'complete' | 'lost' | 'dropped'> {
  const { clock, log, onRead, maxAttempts = Number.POSITIVE_INFINITY } = options;
  const { signal } = own.stop;
  for (let failures = 0; ; ) {
    const waitMs = failures === 0 ? gatherMs : backoffMs(failures, backoff);
    await clock.sleep(waitMs, signal).catch(() => undefined);
    if (signal.aborted) return 'dropped';
    onRead();
    const error = await readPast(options, own, main).catch((reason: unknown) => reason);
    if (signal.aborted) return 'dropped';
    if (error === undefined) return 'complete';
    failures += 1;
    log.debug('reading past events', { error: messageOf(error) });
    if (isAppError(error, 'Conflict') || failures >= maxAttempts) return 'lost';
  }
}
