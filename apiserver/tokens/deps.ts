import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { TokenResource } from '../../core/api/resources/tokenResource.ts';
import type { Clock } from '../../core/lib/clock.ts';
import type { ObjectCache } from '../cache.ts';
import type { CatchUp } from '../catchUp.ts';
import type { Find } from '../find.ts';
import type { Cursors } from '../http/cursor.ts';
import type { Store } from '../kubeErrors.ts';
import type { Touch } from '../networks/activity.ts';
import type { FindAccount } from '../transactions/defaultKey.ts';

/** What the token handlers stand on. */
export interface TokenDeps {
  kube: Store;
  cache: ObjectCache<TokenResource>;
  find: Find<TokenResource>;
  catchUp: CatchUp;
  networks: Pick<ObjectCache<NetworkResource>, 'byName'>;
  findNetwork: Find<NetworkResource>;
  findAccount: FindAccount;
  touch: Touch;
  cursors: Cursors;
  clock: Clock;
}
