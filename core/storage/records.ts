import type { UsageRecordResource } from '../api/resources/records/usageRecord.ts';
import { usageRecordType } from '../api/resources/resources.ts';
import { keepOf } from '../kube/cache/keep.ts';
import { createReflector, type Reflector, type ReflectorOptions } from '../kube/cache/reflector.ts';

type Options = Pick<ReflectorOptions<never>, 'kube' | 'clock' | 'log' | 'kubeMetrics'>;

/** What the operator counted in each workspace, without the use by day. Not started yet. */
export function createStorageRecords(options: Options): Reflector<UsageRecordResource> {
  return createReflector({
    ...options,
    type: usageRecordType,
    trim: (record) => keepOf(record, { spec: { days: [] }, status: record.status ?? {} }),
  });
}
