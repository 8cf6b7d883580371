import type { Kube, ListOptions, WatchOptions } from '../kube.ts';

/** A Kube whose lists and watches default to one namespace instead of all. */
export function confined(kube: Kube, namespace: string): Kube {
  const within = <T extends ListOptions | WatchOptions>(options: T): T => ({ namespace, ...options });
  return {
    ...kube,
    list: (type, options = {}) => kube.list(type, within(options)),
    watch: (type, options) => kube.watch(type, within(options)),
  };
}
