import type { UsedBudget } from './figures.ts';

const count = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const names: Readonly<Record<string, string>> = {
  networks: 'Networks',
  persistentNetworks: 'Persistent networks',
  secrets: 'Secrets',
  tokens: 'Tokens',
  recordings: 'Recordings',
  snapshots: 'Snapshots',
  snapshotBytes: 'Size of snapshots',
  storedBytes: 'Stored data, all together',
  cachedBytes: 'Kept in memory',
  webhooks: 'Webhooks',
  apiKeys: 'Your API keys, in all workspaces',
};

const storedKinds: Readonly<Record<string, string>> = {
  networks: 'Networks',
  secrets: 'Secrets',
  tokens: 'Tokens and their deployments',
  recordings: 'Recordings',
  snapshots: 'Snapshots',
  transactions: 'Transactions that were sent',
  contracts: 'Verified contracts',
  webhooks: 'Webhooks and their deliveries',
  replays: 'Replays',
  records: 'Audit list, rotated keys, and answers of requests with an Idempotency-Key',
};

/** English. */
export const texts = {
  title: 'Usage',
  refresh: 'Refresh',
  lastDays: (days: number) => `Last ${days} days`,
  asOf: 'Counted by day, in UTC. Counts may lag behind by up to a minute.',
  measures: { networkHours: 'Network hours', rpcCalls: 'RPC calls', transactions: 'Transactions' },
  today: 'today',
  inAll: (days: number) => `in ${days} days`,
  number: (value: number) => count.format(value),
  chart: (name: string, total: number, days: number) => `${name}: ${count.format(total)} in ${days} days`,
  bar: (day: string, value: number) => `${day}: ${count.format(value)}`,
  numbers: 'Show the numbers',
  day: 'Day',
  budgets: 'Budgets',
  running: (running: number) =>
    running === 1 ? '1 network runs now.' : `${count.format(running)} networks run now.`,
  budget: 'What',
  used: 'Used',
  share: 'Share',
  name: (name: string) => names[name] ?? name,
  usedOf: ({ name, used, max }: UsedBudget) => {
    const shown = name.endsWith('Bytes') ? mebibytes : count.format;
    return max === undefined ? shown(used) : `${shown(used)} of ${shown(max)}`;
  },
  noLimit: 'no limit',
  stored: 'Stored data',
  storedNote: 'What takes the budget of stored data, most first. Deleting makes room within seconds.',
  storedKind: (kind: string) => storedKinds[kind] ?? kind,
  size: mebibytes,
};

function mebibytes(bytes: number): string {
  return `${count.format(bytes / 1024 / 1024)} MiB`;
}
