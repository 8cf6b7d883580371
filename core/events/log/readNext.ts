import type { LogName } from '../watchedTypes.ts';
import type { Skipped } from './changeLog.ts';
import type { EventLog, Position } from './eventLog.ts';
import type { Entry, Reading } from './segment.ts';

interface Next {
  /** In the order of the cluster. */
  entries: (Entry & { log: LogName })[];
  position: Position;
}

interface Wanted {
  namespace: string;
  wanted: readonly LogName[];
  signal: AbortSignal;
}

/**
 * What happened in a namespace after a position, in the order of the cluster, and the position after it. Where this
 * process began later than the position, it reads the past first. `lost` if the past is gone.
 */
export async function readNext(
  eventLog: EventLog,
  { namespace, wanted, signal }: Wanted,
  { revisions }: Position,
): Promise<Next | 'lost'> {
  for (;;) {
    const readings = wanted.map(
      (name) => [name, eventLog.logs[name].read(namespace, revisions[name])] as const,
    );
    if (readings.some(([, reading]) => reading === 'lost')) return 'lost';
    const behind = readings.filter(([, reading]) => reading === 'behind').map(([name]) => name);
    if (signal.aborted) return { entries: [], position: { revisions } };
    if (behind.length === 0) return nextOf(eventLog, revisions, readings);
    const found = await Promise.all(behind.map((name) => eventLog.logs[name].extend(revisions[name])));
    if (found.includes(false)) return 'lost';
  }
}

/** Where to go on when changes are gone, with what is known of them, and whether that is all. */
export function skipLost(
  eventLog: EventLog,
  namespace: string,
  { revisions }: Position,
): Next & { isWhole: boolean } {
  const readings: [LogName, Exclude<Reading, string>][] = [];
  const skips: [LogName, Skipped][] = [];
  for (const name of eventLog.names) {
    const reading = eventLog.logs[name].read(namespace, revisions[name]);
    const skipped =
      typeof reading === 'string' ? eventLog.logs[name].skip(namespace, revisions[name]) : undefined;
    if (skipped) skips.push([name, skipped]);
    if (typeof reading !== 'string') readings.push([name, reading]);
  }
  const next = nextOf(eventLog, revisions, [...readings, ...skips]);
  // Also back, in a cluster that was restored to an older state.
  for (const [name, { position }] of skips) next.position.revisions[name] = position;
  return { ...next, isWhole: skips.every(([, { isWhole }]) => isWhole) };
}

function nextOf(
  eventLog: EventLog,
  revisions: Position['revisions'],
  readings: readonly (readonly [LogName, Reading])[],
): Next {
  const position = eventLog.position();
  const entries: Next['entries'] = [];
  for (const [log, reading] of readings) {
    if (typeof reading === 'string') continue;
    entries.push(...reading.entries.map((entry) => ({ ...entry, log })));
    position.revisions[log] = reading.position;
  }
  for (const log of eventLog.names) {
    // Another replica may have been ahead of this one: nothing is sent twice.
    if (revisions[log] > position.revisions[log]) position.revisions[log] = revisions[log];
  }
  entries.sort((one, other) => (one.revision < other.revision ? -1 : 1));
  return { entries, position };
}
