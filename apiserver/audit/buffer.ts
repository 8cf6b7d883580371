import type { AuditRecord } from '../../core/api/rest/records/audit.ts';

/** Different entries of a workspace that wait for their write; more are in the log alone. */
const maxWaiting = 250;
/** Objects that an entry names. */
const maxObjects = 20;
const maxObjectText = 200;

export interface AuditBuffer {
  /** False if there are too many. */
  add(namespace: string, record: AuditRecord): boolean;
  /** Takes all that waits, by namespace. */
  take(): Map<string, AuditRecord[]>;
  /** Puts back what could not be written. Returns how many did not fit. */
  putBack(namespace: string, records: readonly AuditRecord[]): number;
}

/** What waits to be written. Equal requests of a caller become one entry, so that a flood of them stays small. */
export function createAuditBuffer(): AuditBuffer {
  let waiting = new Map<string, Map<string, AuditRecord>>();

  function add(namespace: string, record: AuditRecord): boolean {
    const own = waiting.get(namespace) ?? new Map<string, AuditRecord>();
    waiting.set(namespace, own);
    const key = keyOf(record);
    const known = own.get(key);
    if (!known && own.size >= maxWaiting) return false;
    own.set(key, known ? merged(known, record) : bounded(record));
    return true;
  }

  return {
    add,
    take() {
      const taken = new Map([...waiting].map(([namespace, own]) => [namespace, [...own.values()]]));
      waiting = new Map();
      return taken;
    },
    putBack(namespace, records) {
      const later = [...(waiting.get(namespace)?.values() ?? [])];
      waiting.delete(namespace);
      return [...records, ...later].filter((record) => !add(namespace, record)).length;
    },
  };
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
