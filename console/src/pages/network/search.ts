export const tabs = ['overview', 'accounts', 'logs', 'activity', 'snapshots', 'conditions', 'spec'] as const;
export type Tab = (typeof tabs)[number];

/** What of a network its page shows: a tab of its own, or one of a feature. */
export function networkSearch({ tab }: Record<string, unknown>): { tab?: string } {
  const isName = typeof tab === 'string' && /^[a-z]{1,32}$/.test(tab);
  return isName && tab !== 'overview' ? { tab } : {};
}
