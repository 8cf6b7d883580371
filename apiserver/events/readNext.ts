import type { EventHub } from './log/hub.ts';
import type { LogName } from './log/logNames.ts';
import type { Entry, Reading } from './log/segment.ts';
import type { Position } from './positions.ts';

interface Next {
  entries: (Entry & { log: LogName })[];
  position: Position;
}

/**
 * What happened in a namespace after a position, in the order of the cluster, and the position after it. Where this
 * process began later than the position, it reads the past first. `lost` if the past is gone.
 */
export async function readNext(
  hub: EventHub,
  { namespace, wanted }: { namespace: string; wanted: readonly LogName[] },
  { revisions }: Position,
): Promise<Next | 'lost'> {
  for (;;) {
    const readings = wanted.map((name) => [name, hub.logs[name].read(namespace, revisions[name])] as const);
    if (readings.some(([, reading]) => reading === 'lost')) return 'lost';
    const behind = readings.filter(([, reading]) => reading === 'behind').map(([name]) => name);
    if (behind.length === 0) return next(hub, revisions, readings);
    const found = await Promise.all(behind.map((name) => hub.logs[name].extend(revisions[name])));
    if (found.includes(false)) return 'lost';
  }
}

function next(
  hub: EventHub,
  revisions: Position['revisions'],
  readings: readonly (readonly [LogName, Reading])[],
): Next {
  const position = hub.position();
  const entries: Next['entries'] = [];
  for (const [log, reading] of readings) {
    if (typeof reading === 'string') continue;
    entries.push(...reading.entries.map((entry) => ({ ...entry, log })));
    position.revisions[log] = reading.position;
  }
  for (const log of hub.names) {
    // Another replica may have been ahead of this one: nothing is sent twice.
    if (revisions[log] > position.revisions[log]) position.revisions[log] = revisions[log];
  }
  entries.sort((one, other) => (one.revision < other.revision ? -1 : 1));
  return { entries, position };
}
