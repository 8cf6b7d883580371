export const tabs = ['overview', 'accounts', 'logs', 'activity', 'snapshots', 'conditions', 'spec'] as const;
export type Tab = (typeof tabs)[number];

/** What of a network its page shows. */
export function networkSearch(search: Record<string, unknown>): { tab?: Tab } {
  const tab = tabs.find((one) => one === search.tab);
  return tab && tab !== 'overview' ? { tab } : {};
}
