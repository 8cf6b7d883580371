import type { Stored } from '../../core/api/resources/kubeObject.ts';
import type { Pod } from '../../core/kube/types.ts';
import { createBoundedMap } from '../../core/lib/boundedMap.ts';

/** What the operator remembers of the pools, by namespace. Without it, after a restart, they only fill later. */
export interface Pools {
  /** A network started here that could have had a waiting pod. */
  used(namespace: string, atMs: number): void;
  /** When networks started here, at most as many as a pool may have. */
  usesOf(namespace: string): readonly number[];
  /** The pods must make room: the pool of the namespace, or every pool, stays empty for a while. */
  pause(namespace: string | undefined, nowMs: number): void;
  pausedUntilMs(namespace: string): number;
  /** Takes this pod for the caller; false if somebody else has it. */
  take(pod: Stored<Pod>): boolean;
  /** Gives back a pod that could not be adopted. */
  leave(pod: Stored<Pod>): void;
  /** Calls back with the namespaces whose pool has to change; undefined for all. */
  onChange(listener: (namespace: string | undefined) => void): () => void;
}

const maxUses = 100;
const pauseMs = 600_000;
/** A pod is gone from the caches by then. */
const maxTaken = 1_000;

export function createPools(): Pools {
  const uses = new Map<string, number[]>();
  const pauses = new Map<string | undefined, number>();
  const taken = createBoundedMap<string, true>(maxTaken);
  const listeners = new Set<(namespace: string | undefined) => void>();
  const notify = (namespace: string | undefined) => {
    for (const listener of listeners) listener(namespace);
  };
  return {
    used(namespace, atMs) {
      uses.set(namespace, [...(uses.get(namespace) ?? []), atMs].sort((a, b) => a - b).slice(-maxUses));
      notify(namespace);
    },
    usesOf: (namespace) => uses.get(namespace) ?? [],
    pause(namespace, nowMs) {
      pauses.set(namespace, nowMs + pauseMs);
      notify(namespace);
    },
    pausedUntilMs: (namespace) => Math.max(pauses.get(namespace) ?? 0, pauses.get(undefined) ?? 0),
    take({ metadata: { uid } }) {
      if (taken.has(uid)) return false;
      taken.set(uid, true);
      return true;
    },
    leave: ({ metadata }) => taken.delete(metadata.uid),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
