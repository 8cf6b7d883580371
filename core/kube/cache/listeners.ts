import { messageOf } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import type { KubeObject } from '../kube.ts';
import type { Change } from './reflectorState.ts';

type ChangeListener<T extends KubeObject> = (change: Change<T>) => void;

/** The listeners for changes. An error thrown by one is logged and does not affect the others. */
export interface Listeners<T extends KubeObject> {
  add(listener: ChangeListener<T>): () => void;
  emit(changes: Change<T>[]): void;
}

/** An empty list of listeners. */
export function createListeners<T extends KubeObject>(log: Log): Listeners<T> {
  const listeners = new Set<ChangeListener<T>>();
  return {
    add(listener) {
      // Wrapped, so that a function added twice is called twice and removed once.
      const entry = (change: Change<T>) => listener(change);
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
    emit(changes) {
      for (const change of changes) {
        for (const listener of [...listeners]) {
          try {
            listener(change);
          } catch (error) {
            log.error('a cache listener threw an error', {
              kind: change.object.kind,
              error: messageOf(error),
            });
          }
        }
      }
    },
  };
}

/** Listeners that are only told that something happened. */
export interface Bell {
  /** Returns a function that removes the listener. */
  add(listener: () => void): () => void;
  ring(): void;
}

export function createBell(): Bell {
  const listeners = new Set<() => void>();
  return {
    add(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    ring() {
      for (const listener of [...listeners]) listener();
    },
  };
}
