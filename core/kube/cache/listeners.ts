import { messageOf } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import type { KubeObject } from '../kube.ts';
import type { Change } from './reflectorState.ts';

type ChangeListener<T extends KubeObject> = (change: Change<T>) => void;

/** Those who want to hear of changes. What one of them throws is logged and keeps nobody else from hearing. */
export interface Listeners<T extends KubeObject> {
  add(listener: ChangeListener<T>): () => void;
  emit(changes: Change<T>[]): void;
}

/** No listeners yet. */
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
            log.error('a listener of the cache failed', {
              kind: change.object.kind,
              error: messageOf(error),
            });
          }
        }
      }
    },
  };
}
