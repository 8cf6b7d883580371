import { type UsageRecordResource, usageRecordName } from '../api/resources/records/usageRecord.ts';
import type { Reflector } from '../kube/cache/reflector.ts';
import { parseRfc3339 } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import { type Added, type Additions, createAdditions, type Taken } from './additions.ts';
import type { StoredAnswers } from './answers.ts';
import {
  type Holding,
  type Holdings,
  holdingIn,
  type NewData,
  type StorageQuota,
  storageRefusal,
} from './budget.ts';

/** What is stored, as far as this process knows: what the operator counted, and what this process has added since. */
export interface StorageLedger {
  /** What a workspace stores. */
  usedIn(namespace: string): Holding;
  /** What all workspaces store. */
  holdings(): Holdings;
  /** Why data may not be stored; undefined if it may. */
  refusal(data: NewData): AppError | undefined;
  /** Counts data that is about to be stored; throws TooManyRequests if there is no room. */
  take(data: NewData): Taken;
}

/** A count includes everything that was stored this long before it: watches lag by less. */
export const countedAfterMs = 5_000;
/** A deletion by somebody can free space at any time. */
const retrySeconds = 60;

export interface StorageLedgerDeps {
  quota: StorageQuota;
  /** What the operator counted. */
  records: Pick<Reflector<UsageRecordResource>, 'list' | 'onChange'>;
  /** What the operator does not count; nothing if absent. */
  answers?: Pick<StoredAnswers, 'in' | 'namespaces'>;
}

const refusals = new WeakSet<object>();

/** Whether a write was refused because there is no room for it. */
export function isStorageRefusal(error: unknown): boolean {
  return error instanceof AppError && refusals.has(error);
}

/** Follows what the operator counts for as long as the process runs. */
export function createStorageLedger({ quota, records, answers }: StorageLedgerDeps): StorageLedger {
  const counted = new Map<string, Holding>();
  const additions = createAdditions();
  for (const record of records.list()) adopt({ counted, additions }, record);
  records.onChange(({ type, object }) => {
    if (type === 'set') adopt({ counted, additions }, object);
    else forget({ counted, additions }, object);
  });

  function usedIn(namespace: string): Holding {
    const answered: Added = { kind: 'records', bytes: answers?.in(namespace) ?? 0 };
    return withAdded(holdingIn(counted, namespace), [...additions.in(namespace), answered]);
  }

  function holdings(): Holdings {
    const all = new Map<string, Holding>(counted);
    const more = [...additions.namespaces(), ...(answers?.namespaces() ?? [])];
    for (const namespace of more) all.set(namespace, usedIn(namespace));
    return all;
  }

  function refusal(data: NewData): AppError | undefined {
    const message = data.bytes > 0 ? storageRefusal(quota, holdings(), data) : undefined;
    if (message === undefined) return undefined;
    const error = new AppError('TooManyRequests', message, { retryAfterSeconds: retrySeconds });
    refusals.add(error);
    return error;
  }

  return {
    usedIn,
    holdings,
    refusal,
    take(data) {
      const error = refusal(data);
      if (error) throw error;
      return additions.add(data);
    },
  };
}

function withAdded(holding: Holding, more: readonly Added[]): Holding {
  const kinds = { ...holding.kinds };
  const cached = { ...holding.cached };
  let { bytes } = holding;
  for (const { kind, isCached, bytes: added } of more) {
    bytes += added;
    if (!kind || added === 0) continue;
    kinds[kind] = (kinds[kind] ?? 0) + added;
    if (isCached) cached[kind] = (cached[kind] ?? 0) + added;
  }
  return { ...holding, bytes, kinds, cached };
}

interface Known {
  counted: Map<string, Holding>;
  additions: Additions;
}

function adopt({ counted, additions }: Known, { metadata, status }: UsageRecordResource): void {
  const { namespace, name } = metadata;
  if (name !== usageRecordName || !status?.stored) return;
  const { asOf, ...holding } = status.stored;
  counted.set(namespace, holding);
  additions.countedBy(namespace, (parseRfc3339(asOf) ?? 0) - countedAfterMs);
}

function forget({ counted, additions }: Known, { metadata: { namespace, name } }: UsageRecordResource): void {
  if (name !== usageRecordName) return;
  counted.delete(namespace);
  additions.forget(namespace);
}
