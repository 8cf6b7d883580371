import type { Kube } from '../../core/kube/kube.ts';
import { systemClock } from '../../core/lib/clock.ts';

/** A Kube whose watches of a kind, or of all, stand still from `hold` on, until what that returns is called. */
export function createLaggingKube(kube: Kube, kind?: string) {
  let until = Promise.resolve();
  const lagging = watchingWith(kube, (of) => (kind === undefined || kind === of ? until : undefined));
  return {
    kube: lagging,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      until = promise;
      return resolve;
    },
  };
}

/** A Kube whose watches report everything later than a healthy one does. */
export function createLateKube(kube: Kube, lateMs: number): Kube {
  return watchingWith(kube, () => systemClock.sleep(lateMs));
}

/** A Kube whose watches wait before each event. */
function watchingWith(kube: Kube, wait: (kind: string) => Promise<void> | undefined): Kube {
  return {
    ...kube,
    async *watch(type, options) {
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      options.signal.addEventListener('abort', () => end(), { once: true });
      for await (const event of kube.watch(type, options)) {
        await Promise.race([wait(type.kind), ended]);
        if (options.signal.aborted) return;
        yield event;
      }
    },
  };
}
