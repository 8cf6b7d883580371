import type { EngineName } from '../../core/api/engines.ts';

/** When the last network began to wait for each engine, in ms since the epoch. */
export type WantedEngines = ReadonlyMap<EngineName, number>;

/** Which networks wait for which engines: in memory, because a new leader looks at all networks again. */
export interface WantedBoard {
  /** Begins a term, in which these networks have not been reconciled yet. */
  begin(networkUids: Iterable<string>): void;
  /** What the object says stays wanted until all networks were reconciled, and its times stay as they are. */
  inherit(written: WantedEngines): void;
  /** What a network waits for; empty when it waits for nothing, or is gone. */
  set(networkUid: string, engines: readonly EngineName[], nowMs: number): void;
  /** The uids of networks that wait for engines. */
  waiting(): string[];
  /** What all networks wait for. */
  all(): WantedEngines;
  /** Called when a network begins or ceases to wait, and once all networks of the beginning were reconciled. */
  onChange(listener: () => void): () => void;
}

export function createWantedBoard(): WantedBoard {
  const byNetwork = new Map<string, WantedEngines>();
  const listeners = new Set<() => void>();
  let inherited: WantedEngines = new Map();
  let unseen = new Set<string>();

  function sincesOf(uid: string, engines: readonly EngineName[], nowMs: number): WantedEngines {
    const known = byNetwork.get(uid);
    const former = unseen.has(uid) ? inherited : undefined;
    return new Map(
      engines.map((engine) => [engine, known?.get(engine) ?? former?.get(engine) ?? nowMs] as const),
    );
  }

  return {
    begin(networkUids) {
      byNetwork.clear();
      inherited = new Map();
      unseen = new Set(networkUids);
    },
    inherit(written) {
      inherited = written;
      for (const [uid, wanted] of byNetwork) {
        const earlier = [...wanted].map(
          ([engine, sinceMs]) => [engine, written.get(engine) ?? sinceMs] as const,
        );
        byNetwork.set(uid, new Map(earlier));
      }
    },
    set(uid, engines, nowMs) {
      const before = byNetwork.get(uid);
      const next = sincesOf(uid, engines, nowMs);
      if (next.size > 0) byNetwork.set(uid, next);
      else byNetwork.delete(uid);
      const wasLast = unseen.delete(uid) && unseen.size === 0;
      // Nearly all networks wait for nothing.
      if (!wasLast && isSame(before, next)) return;
      for (const listener of [...listeners]) listener();
    },
    waiting: () => [...byNetwork.keys()],
    all: () => latestOf([...(unseen.size > 0 ? [inherited] : []), ...byNetwork.values()]),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function latestOf(all: readonly WantedEngines[]): WantedEngines {
  const latest = new Map<EngineName, number>();
  for (const [engine, sinceMs] of all.flatMap((wanted) => [...wanted]))
    latest.set(engine, Math.max(sinceMs, latest.get(engine) ?? 0));
  return latest;
}

function isSame(before: WantedEngines | undefined, next: WantedEngines): boolean {
  return (before?.size ?? 0) === next.size && [...next.keys()].every((engine) => before?.has(engine));
}
