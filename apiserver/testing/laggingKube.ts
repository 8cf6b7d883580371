import type { Kube } from '../../core/kube/kube.ts';

/** A Kube whose watches of a kind, or of all, stand still from `hold` on, until what that returns is called. */
export function createLaggingKube(kube: Kube, kind?: string) {
  let until = Promise.resolve();
  const lagging: Kube = {
    ...kube,
    async *watch(type, options) {
      for await (const event of kube.watch(type, options)) {
        if (kind === undefined || kind === type.kind) await until;
        yield event;
      }
    },
  };
  return {
    kube: lagging,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      until = promise;
      return resolve;
    },
  };
}
