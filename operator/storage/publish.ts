import { apiVersion } from '../../core/api/names.ts';
import { storedKinds } from '../../core/api/resources/records/storedBytes.ts';
import { type UsageRecordResource, usageRecordName } from '../../core/api/resources/records/usageRecord.ts';
import { usageRecordType } from '../../core/api/resources/resources.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { toRfc3339 } from '../../core/lib/clock.ts';
import { isAppError } from '../../core/lib/errors.ts';
import type { Stock } from './stock.ts';

/** A workspace, and the account whose share of the installation it uses. */
export interface AccountedWorkspace {
  namespace: string;
  account: string;
}

interface Published extends Stock {
  asOfMs: number;
  /** Why it stores nothing more. */
  refusal?: string | undefined;
}

/** Writes what a workspace stores into the status of its UsageRecord. */
export async function publishStock(
  kube: Pick<Kube, 'create' | 'patch'>,
  { namespace, account }: AccountedWorkspace,
  { bytes, kinds, cached, asOfMs, refusal }: Published,
): Promise<void> {
  const ref = { namespace, name: usageRecordName };
  // In a merge patch, null removes what is not stored any more.
  const all = (of: Stock['kinds']) => Object.fromEntries(storedKinds.map((kind) => [kind, of[kind] ?? null]));
  const stored = { asOf: toRfc3339(asOfMs), account, bytes, kinds: all(kinds), cached: all(cached) };
  const patch = { status: { stored, refusal: refusal ?? null } };
  try {
    await kube.patch(usageRecordType, ref, patch, 'status');
  } catch (error) {
    if (!isAppError(error, 'NotFound')) throw error;
    const fresh: UsageRecordResource = { apiVersion, kind: 'UsageRecord', metadata: ref, spec: { days: [] } };
    await kube.create(usageRecordType, fresh);
    await kube.patch(usageRecordType, ref, patch, 'status');
  }
}
