import type { EventObjects } from '../../../sdk/src/generated/types.ts';
import { type KindName, kinds } from './kinds.ts';

/** The objects of one kind, as the event stream reports them. */
export interface KindView<T> {
  /** Increases with each change of `objects`, which is changed in place: there may be thousands. */
  revision: number;
  objects: ReadonlyMap<string, T>;
}

export interface Objects<T> {
  view(): KindView<T>;
  /** Everything is sent again from here. */
  begin(): void;
  /** What was not seen since then is gone. */
  end(): void;
  /** What an event of this type says of an object. */
  take(object: T, type: string): void;
  /** Takes what a request answered, unless the stream already told something newer. */
  observe(object: T): void;
}

export const maxClosed = 500;
/** A request that still answers with a deleted object began shortly before. */
const maxDeleted = 500;

/** The objects of one kind by id. Of those that are closed only the newest stay. */
function createKept<T>(isClosed: (object: T) => boolean) {
  const byId = new Map<string, T>();
  const closed = new Set<string>();
  return {
    byId,
    closed,
    keep(id: string, object: T): void {
      byId.set(id, object);
      closed.delete(id);
      if (!isClosed(object)) return;
      closed.add(id);
      const oldest = dropOldest(closed, maxClosed);
      if (oldest !== undefined) byId.delete(oldest);
    },
  };
}

/** Of a set to which one value was added. Returns what was dropped. */
function dropOldest(values: Set<string>, max: number): string | undefined {
  const [oldest] = values;
  if (values.size <= max || oldest === undefined) return undefined;
  values.delete(oldest);
  return oldest;
}

/** Keeps one kind of objects. */
export function createObjects<Name extends KindName>(name: Name): Objects<EventObjects[Name]> {
  const { idOf, revisionOf, isClosed } = kinds[name];
  const { byId, closed, keep } = createKept<EventObjects[Name]>((object) => isClosed?.(object) ?? false);
  const deleted = new Set<string>();
  /** While everything is sent: what came so far. */
  let seen: Set<string> | undefined = new Set();
  let view: KindView<EventObjects[Name]> = { revision: 0, objects: byId };
  const changed = () => {
    view = { ...view, revision: view.revision + 1 };
  };
  const revision = (object: EventObjects[Name] | undefined) => (object && revisionOf?.(object)) ?? 0;
  return {
    view: () => view,
    begin() {
      seen = new Set();
    },
    end() {
      // What is closed is not sent again.
      for (const id of byId.keys()) if (seen && !seen.has(id) && !closed.has(id)) byId.delete(id);
      seen = undefined;
      changed();
    },
    take(object, type) {
      const id = idOf(object);
      changed();
      if (type.endsWith('.deleted')) return forget(id);
      seen?.add(id);
      deleted.delete(id);
      // Of the spec, what a request answered meanwhile may be newer.
      if (revision(byId.get(id)) <= revision(object)) keep(id, object);
    },
    // What a request answered has no place among events: only a newer spec says that it is later.
    observe(object) {
      const id = idOf(object);
      const known = byId.get(id);
      const isNews = known ? revision(known) < revision(object) : !deleted.has(id);
      if (!isNews) return;
      seen?.add(id);
      keep(id, object);
      changed();
    },
  };

  function forget(id: string): void {
    byId.delete(id);
    deleted.add(id);
    dropOldest(deleted, maxDeleted);
  }
}
