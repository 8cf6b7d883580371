import type { LogName } from '../watchedTypes.ts';
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

/** What a reader gets that waits for the past of no kind. */
interface Ready extends Next {
  /** The kinds whose past is still to be read. */
  behind: LogName[];
  /** Whether nothing is lost. */
  isWhole: boolean;
}

/** What can be read at once. Of the kinds in `gone`, the past before the log cannot be read: they go on from the present. */
export function readReady(
  eventLog: EventLog,
  { namespace, gone }: { namespace: string; gone: ReadonlySet<LogName> },
  { revisions }: Position,
): Ready {
  const behind: LogName[] = [];
  const skipped: [LogName, bigint][] = [];
  let isWhole = true;
  const readings = eventLog.names.map((name): [LogName, Reading] => {
    const [log, after] = [eventLog.logs[name], revisions[name]];
    const reading = log.read(namespace, after);
    if (reading === 'lost' || (reading === 'behind' && gone.has(name))) {
      const found = log.skip(namespace, after);
      skipped.push([name, found.position]);
      isWhole &&= found.isWhole;
      return [name, found];
    }
    if (reading !== 'behind') return [name, reading];
    behind.push(name);
    return [name, { entries: [], position: after }];
  });
  const next = nextOf(eventLog, revisions, readings);
  // Also back, in a cluster that was restored to an older state.
  for (const [name, position] of skipped) next.position.revisions[name] = position;
  return { ...next, behind, isWhole };
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
