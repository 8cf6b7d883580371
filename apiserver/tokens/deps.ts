import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { TokenResource } from '../../core/api/resources/tokenResource.ts';
import type { Clock } from '../../core/lib/clock.ts';
import type { Touch } from '../../core/networks/activity.ts';
import type { Cursors } from '../http/paging/cursor.ts';
import type { ObjectCache } from '../store/cache.ts';
import type { Find } from '../store/find.ts';
import type { Store } from '../store/kubeErrors.ts';
import type { FindAccount } from '../transactions/defaultKey.ts';
import type { Nodes } from '../transactions/nodes.ts';

/** Dependencies of the token handlers. */
export interface TokenDeps {
  kube: Store;
  cache: ObjectCache<TokenResource>;
  find: Find<TokenResource>;
  networks: Pick<ObjectCache<NetworkResource>, 'byName'>;
  findNetwork: Find<NetworkResource>;
  findAccount: FindAccount;
  /** The running node of a network; undefined if it is not running. */
  presentNode: Nodes['presentNode'];
  touch: Touch;
  cursors: Cursors;
  clock: Clock;
}
