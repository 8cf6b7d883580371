import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { SnapshotResource } from '../../core/api/resources/snapshot.ts';
import type { SnapshotQuota } from '../../core/api/rules/snapshotBudget.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Clock } from '../../core/lib/clock.ts';
import type { Touch } from '../../core/networks/activity.ts';
import type { Cursors } from '../http/paging/cursor.ts';
import type { EndpointsOf } from '../networks/endpoints.ts';
import type { ObjectCache } from '../store/cache.ts';
import type { Find } from '../store/find.ts';
import type { Store } from '../store/kubeErrors.ts';

/** Dependencies of the snapshot handlers. */
export interface SnapshotDeps {
  kube: Store;
  cache: ObjectCache<SnapshotResource>;
  find: Find<SnapshotResource>;
  cursors: Cursors;
  /** Watches the status that the operator reports for snapshots. */
  waitFor: Reflector<SnapshotResource>['waitFor'];
  quota: SnapshotQuota;
  networks: {
    cache: ObjectCache<NetworkResource>;
    find: Find<NetworkResource>;
    touch: Touch;
    endpointsOf: EndpointsOf;
    clock: Clock;
  };
}
