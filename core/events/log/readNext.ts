import { recordOf } from '../../lib/typed.ts';
import type { LogName } from '../watchedTypes.ts';
import type { EventLog, Position } from './eventLog.ts';
import { type Entry, later, type Reading } from './segment.ts';

interface Next {
  /** In the order of the cluster. */
  entries: (Entry & { log: LogName })[];
  position: Position;
}

/**
 * What happened in a namespace after a position, in the order of the cluster, and the position after it. Where this
 * process began later than the position, it reads the past first. `lost` if the past is gone.
 */
export async function readNext(
  eventLog: EventLog,
  { namespace, wanted, signal }: { namespace: string; wanted: readonly LogName[]; signal: AbortSignal },
  position: Position,
): Promise<Next | 'lost'> {
  const { revisions } = position;
  for (;;) {
    const readings = wanted.map(
      (name) => [name, eventLog.logs[name].read(namespace, revisions[name])] as const,
    );
    if (readings.some(([, reading]) => reading === 'lost')) return 'lost';
    const behind = readings.filter(([, reading]) => reading === 'behind').map(([name]) => name);
    if (signal.aborted) return { entries: [], position };
    if (behind.length === 0) return joined(latest(eventLog, position), readings);
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
  position: Position,
): Ready {
  const behind: LogName[] = [];
  let isWhole = true;
  const readings = eventLog.names.map((name): [LogName, Reading] => {
    const [log, after] = [eventLog.logs[name], position.revisions[name]];
    const reading = log.read(namespace, after);
    if (reading === 'behind' && !gone.has(name)) behind.push(name);
    else if (typeof reading === 'string') {
      const skipped = log.skip(namespace, after);
      isWhole &&= skipped.isWhole;
      return [name, skipped];
    }
    return [name, reading];
  });
  return { ...joined(position, readings), behind, isWhole };
}

/** Where a log is, or a reader that is ahead of it, as of another replica. */
export function latest(eventLog: EventLog, { revisions }: Position): Position {
  const now = eventLog.position().revisions;
  const pairs = eventLog.names.map((name) => [name, later(revisions[name], now[name])] as const);
  return { revisions: recordOf(pairs) };
}

/** What was read of each kind; those that were not stay at the position. */
function joined(position: Position, readings: readonly (readonly [LogName, Reading])[]): Next {
  const revisions = { ...position.revisions };
  const entries: Next['entries'] = [];
  for (const [log, reading] of readings) {
    if (typeof reading === 'string') continue;
    entries.push(...reading.entries.map((entry) => ({ ...entry, log })));
    revisions[log] = reading.position;
  }
  entries.sort((one, other) => (one.revision < other.revision ? -1 : 1));
  return { entries, position: { revisions } };
}
