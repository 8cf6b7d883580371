/** What is counted for a workspace and bounded, as usage and messages call it. */
export const budgetNames = [
  'networks',
  'persistentNetworks',
  'secrets',
  'tokens',
  'recordings',
  'snapshots',
  'snapshotBytes',
  'storedBytes',
  'cachedBytes',
  'webhooks',
  'apiKeys',
] as const;
export type BudgetName = (typeof budgetNames)[number];
