import { createTally, type Tally } from '../../../core/lib/work/tally.ts';
import type { AuditRecord } from '../api/audit.ts';
import { actorOf } from './shares.ts';

/** Different entries of an actor, and of a workspace, that wait for their write; more are in the log alone. */
const maxWaitingOfActor = 100;
const maxWaiting = 500;
/** Objects that an entry names. */
const maxObjects = 20;
const maxObjectText = 200;

export interface AuditBuffer {
  /** Returns how many entries had no room: this one, or one of the actor with the most. */
  add(namespace: string, record: AuditRecord): number;
  /** Takes all that waits, by namespace. */
  take(): Map<string, AuditRecord[]>;
  /** Puts back what could not be written. Returns how many did not fit. */
  putBack(namespace: string, records: readonly AuditRecord[]): number;
}

/** What waits of a workspace, by what makes entries equal, and how many are of each actor. */
interface Waiting {
  records: Map<string, AuditRecord>;
  actors: Tally;
}

/** What waits to be written. Equal requests of a caller become one entry, so that a flood of them stays small. */
export function createAuditBuffer(): AuditBuffer {
  let waiting = new Map<string, Waiting>();

  function add(namespace: string, record: AuditRecord): number {
    const own = waiting.get(namespace) ?? { records: new Map<string, AuditRecord>(), actors: createTally() };
    waiting.set(namespace, own);
    const key = keyOf(record);
    const known = own.records.get(key);
    if (known) own.records.set(key, merged(known, record));
    if (known) return 0;
    const actor = actorOf(record);
    if (own.actors.of(actor) >= maxWaitingOfActor) return 1;
    const isFull = own.records.size >= maxWaiting;
    if (isFull && !makeRoom(own, actor)) return 1;
    own.records.set(key, bounded(record));
    own.actors.add(actor, 1);
    return isFull ? 1 : 0;
  }

  return {
    add,
    take() {
      const taken = new Map(
        [...waiting].map(([namespace, { records }]) => [namespace, [...records.values()]]),
      );
      waiting = new Map();
      return taken;
    },
    putBack(namespace, records) {
      const later = [...(waiting.get(namespace)?.records.values() ?? [])];
      waiting.delete(namespace);
      return [...records, ...later].reduce((dropped, record) => dropped + add(namespace, record), 0);
    },
  };
}

/** Drops the oldest entry of the actor with the most. False if that is whose entry wants room. */
function makeRoom({ records, actors }: Waiting, actor: string): boolean {
  const largest = actors.largest();
  if (largest === undefined || actors.of(largest) <= actors.of(actor) + 1) return false;
  for (const [key, record] of records) {
    if (actorOf(record) !== largest) continue;
    records.delete(key);
    actors.add(largest, -1);
    return true;
  }
  return false;
}

function keyOf({ userID, apiKeyID, sessionID, action, outcome, source }: AuditRecord): string {
  return JSON.stringify([userID, apiKeyID, sessionID, action, outcome, source]);
}

function merged(known: AuditRecord, { objects, count }: AuditRecord): AuditRecord {
  return bounded({
    ...known,
    objects: [...new Set([...known.objects, ...objects])],
    count: known.count + count,
  });
}

function bounded(record: AuditRecord): AuditRecord {
  const objects = record.objects.slice(0, maxObjects).map((object) => object.slice(0, maxObjectText));
  return { ...record, objects };
}
