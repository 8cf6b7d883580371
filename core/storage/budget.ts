import type { Installation } from '../api/installation.ts';
import type { StoredBytes, StoredKind } from '../api/resources/records/storedBytes.ts';

export type StorageQuota = Pick<
  Installation['quota'],
  'workspaceStoredMiB' | 'storedMiB' | 'workspaceCachedMiB' | 'cachedMiB'
>;
/** What a workspace stores, and which account owns it. */
export type Holding = Omit<StoredBytes, 'asOf'>;
/** What is stored, by namespace of the workspace. */
export type Holdings = ReadonlyMap<string, Holding>;

/** Data that is to be stored. */
export interface NewData {
  namespace: string;
  bytes: number;
  kind?: StoredKind;
  /** Whether processes keep it in memory. */
  isCached?: boolean;
}

export const mib = 1024 * 1024;

/** Bytes that processes keep in memory for a workspace. */
export const cachedIn = ({ cached = {} }: Holding): number =>
  Object.values(cached).reduce((sum, bytes) => sum + bytes, 0);

/** What is bounded: for a workspace, and for all of them together. */
export interface Budget {
  /** Its label in metrics. */
  name: 'stored' | 'cached';
  workspaceMiB: number;
  installationMiB: number;
  /** The chart values. */
  values: { workspace: string; installation: string };
  /** Whether it bounds new data. */
  covers(data: NewData): boolean;
  /** What of a workspace's data it counts, in bytes. */
  bytesOf(holding: Holding): number;
  /** The same in words. */
  what: string;
  /** By what it holds. */
  kindsOf(holding: Holding): Holding['kinds'];
}

export function budgetsOf(quota: StorageQuota): Budget[] {
  return [
    {
      name: 'stored',
      workspaceMiB: quota.workspaceStoredMiB,
      installationMiB: quota.storedMiB,
      values: { workspace: 'quota.workspaceStoredMiB', installation: 'quota.storedMiB' },
      covers: () => true,
      bytesOf: ({ bytes }) => bytes,
      what: '',
      kindsOf: ({ kinds }) => kinds,
    },
    {
      name: 'cached',
      workspaceMiB: quota.workspaceCachedMiB,
      installationMiB: quota.cachedMiB,
      values: { workspace: 'quota.workspaceCachedMiB', installation: 'quota.cachedMiB' },
      covers: ({ isCached }) => isCached === true,
      bytesOf: cachedIn,
      what: ' that processes keep in memory',
      kindsOf: ({ cached = {} }) => cached,
    },
  ];
}

/** What an account may have of the installation, however many workspaces it has; a workspace alone always fits. */
const accountPart = 1 / 4;
/** The part that is reserved for the accounts, in equal shares. The rest is first come, first served. */
const sharedPart = 1 / 2;

/**
 * Why new data may not be stored, with the budget, what uses most of it, and the remedy; undefined if it may.
 *
 * Each workspace has its budget, and the installation one for all of them. Whoever has less than an equal share of half of
 * the latter always gets it: it counts as used from the start. So the sum never exceeds the budget, and who is refused when it
 * is used up is above the share.
 */
export function storageRefusal(quota: StorageQuota, holdings: Holdings, data: NewData): string | undefined {
  for (const budget of budgetsOf(quota)) {
    const refusal = budget.covers(data) ? refusalBy(budget, holdings, data) : undefined;
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function refusalBy(budget: Budget, holdings: Holdings, data: NewData): string | undefined {
  const own = holdingIn(holdings, data.namespace);
  if (budget.bytesOf(own) + data.bytes > budget.workspaceMiB * mib) return workspaceRefusal(budget, own);
  const accounts = byAccount(budget, holdings);
  const together = accounts.get(own.account) ?? { bytes: 0, holdings: [] };
  accounts.delete(own.account);
  const wanted = { ...together, wanted: together.bytes + data.bytes };
  return accountRefusal(budget, wanted) ?? installationRefusal(budget, wanted, [...accounts.values()]);
}

function workspaceRefusal(budget: Budget, own: Holding): string {
  const { workspaceMiB, values, what } = budget;
  return (
    `the workspace stores ${inMib(budget.bytesOf(own))}${what}, and this would exceed its budget of ${workspaceMiB} MiB ` +
    `(chart value ${values.workspace}). ${remedyFor(budget, [own])}`
  );
}

interface AccountHolding {
  bytes: number;
  holdings: Holding[];
}

/** `wanted`: its bytes with the new ones. */
type Wanting = AccountHolding & { wanted: number };

function accountRefusal(budget: Budget, { bytes, wanted, holdings }: Wanting): string | undefined {
  const { workspaceMiB, installationMiB, values, what } = budget;
  const all = installationMiB * mib;
  const most = Math.min(all, Math.max(all * accountPart, workspaceMiB * mib));
  if (wanted <= most) return undefined;
  return (
    `the workspaces of this account store ${inMib(bytes)}${what} together, and this would exceed their part of ` +
    `${inMib(most)} of the installation's budget (chart value ${values.installation}). ${remedyFor(budget, holdings)}`
  );
}

function installationRefusal(
  budget: Budget,
  { bytes, wanted, holdings }: Wanting,
  others: readonly AccountHolding[],
): string | undefined {
  const { installationMiB, values, what } = budget;
  const all = installationMiB * mib;
  const share = (all * sharedPart) / (others.length + 1);
  const kept = others.reduce((sum, other) => sum + Math.max(other.bytes, share), 0);
  if (wanted <= share || kept + wanted <= all) return undefined;
  return (
    `the budget of the installation is used up (${installationMiB} MiB${what}, chart value ${values.installation}), and with ` +
    `${inMib(bytes)} this account has more than its share of ${inMib(share)}. ${remedyFor(budget, holdings)}`
  );
}

/** What a workspace stores; nothing if it was not counted yet. */
export function holdingIn(holdings: Holdings, namespace: string): Holding {
  return holdings.get(namespace) ?? { account: namespace, bytes: 0, kinds: {} };
}

function byAccount({ bytesOf }: Budget, holdings: Holdings): Map<string, AccountHolding> {
  const accounts = new Map<string, AccountHolding>();
  for (const holding of holdings.values()) {
    const known = accounts.get(holding.account) ?? { bytes: 0, holdings: [] };
    known.bytes += bytesOf(holding);
    known.holdings.push(holding);
    accounts.set(holding.account, known);
  }
  return accounts;
}

/** How users free space, by what takes most. Data that users cannot delete is collected by itself. */
const remedies: Record<StoredKind, string> = {
  networks: 'delete networks',
  secrets: 'delete secrets',
  tokens: 'delete tokens',
  recordings: 'delete recordings',
  snapshots: 'delete snapshots',
  transactions: 'delete networks whose transactions are not needed, or wait until archives expire',
  contracts: 'delete networks whose verified contracts are not needed',
  webhooks: 'delete webhooks',
  replays: 'wait a day, after which replays are deleted',
  records: 'wait a day, after which answers of requests with an Idempotency-Key are deleted',
};

function remedyFor(budget: Budget, holdings: readonly Holding[]): string {
  const sums = new Map<StoredKind, number>();
  for (const holding of holdings) {
    const kinds = Object.entries(budget.kindsOf(holding)) as [StoredKind, number | undefined][];
    for (const [kind, bytes = 0] of kinds) sums.set(kind, (sums.get(kind) ?? 0) + bytes);
  }
  const [first, second] = [...sums].sort(([, one], [, other]) => other - one);
  if (!first) return 'Store less, or ask for a larger budget';
  const named = [first, ...(second ? [second] : [])].map(([kind, bytes]) => `${kind} (${inMib(bytes)})`);
  return `Most of it: ${named.join(', ')}. Remedy: ${remedies[first[0]]}, or ask for a larger budget`;
}

function inMib(bytes: number): string {
  return `${Math.round((bytes / mib) * 10) / 10} MiB`;
}
