import type { PluginsOnChain } from '../network/decide/facts.ts';

/** The plugins of a network as its controller runs them. */
export interface PostedPlugins extends PluginsOnChain {
  /** Why the cluster did not accept one of their pods or files. */
  failure?: string;
}

/**
 * Hands what the network controller has planned to the plugin controller. Both run in the leader, and all networks are planned
 * again at the start of its term.
 */
export interface PluginBoard {
  /** Undefined: the network runs no plugins. */
  post(networkUid: string, plugins: PostedPlugins | undefined): void;
  get(networkUid: string): PostedPlugins | undefined;
  onPost(listener: (networkUid: string) => void): () => void;
}

export function createPluginBoard(): PluginBoard {
  const posted = new Map<string, PostedPlugins>();
  const listeners = new Set<(networkUid: string) => void>();
  return {
    post(uid, plugins) {
      if (!plugins) return void posted.delete(uid);
      posted.set(uid, plugins);
      for (const listener of listeners) listener(uid);
    },
    get: (uid) => posted.get(uid),
    onPost(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
