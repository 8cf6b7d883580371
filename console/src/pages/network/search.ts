export const tabs = ['overview', 'accounts', 'logs', 'activity', 'snapshots', 'conditions', 'spec'] as const;
export type Tab = (typeof tabs)[number];

/** What a page with tabs shows: a tab of its own, or one of a feature. */
export function tabSearch({ tab }: Record<string, unknown>): { tab?: string } {
  const isName = typeof tab === 'string' && /^[a-z]{1,32}$/.test(tab);
  return isName && tab !== 'overview' ? { tab } : {};
}
