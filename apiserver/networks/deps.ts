import type { Installation } from '../../core/api/installation.ts';
import type { NetworkResource, NetworkSpec } from '../../core/api/resources/network.ts';
import type { ChainTypeOffer } from '../../core/api/rest/chainTypes.ts';
import type { LifetimeLimits } from '../../core/api/rules/lifetimes.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { OpenPodLog } from '../../core/kube/kube.ts';
import type { Clock } from '../../core/lib/clock.ts';
import type { ErrorDetail } from '../../core/lib/errors.ts';
import type { Touch } from '../../core/networks/activity.ts';
import type { Cursors } from '../http/paging/cursor.ts';
import type { RefuseForkSource } from '../secrets/forkSource.ts';
import type { RefuseFrom } from '../snapshots/refuseFrom.ts';
import type { ObjectCache } from '../store/cache.ts';
import type { Find } from '../store/find.ts';
import type { Store } from '../store/kubeErrors.ts';
import type { EndpointsOf } from './endpoints.ts';
import type { LogStreams } from './logs/logStreams.ts';

export interface NetworkSizeLimits {
  participants: number;
  validators: number;
}

/** Dependencies of the network handlers. */
export interface NetworkDeps {
  kube: Store;
  cache: ObjectCache<NetworkResource>;
  find: Find<NetworkResource>;
  touch: Touch;
  cursors: Cursors;
  /** The URLs of a network that a caller may see. */
  endpointsOf: EndpointsOf;
  waitFor: Reflector<NetworkResource>['waitFor'];
  clock: Clock;
  /** Parts of a valid spec that this version cannot run, each with its reason. */
  unavailableParts(spec: NetworkSpec): ErrorDetail[];
  /** What networks of each type can be on this installation. */
  chainTypes(): ChainTypeOffer[];
  /** What can be forked. */
  forks: Installation['forks'];
  /** Why a network must not fork from the source that it names. */
  refuseForkSource: RefuseForkSource;
  /** Whether a workspace has a secret of this name. */
  hasSecret(namespace: string, name: string): boolean;
  /** Why the chains of a network cannot begin from the snapshot that it names. */
  refuseFrom: RefuseFrom;
  /** Per workspace. */
  maxPersistentNetworks: number;
  lifetimes: LifetimeLimits;
  openPodLog: OpenPodLog;
  logStreams: LogStreams;
  /** Per network. */
  size: NetworkSizeLimits;
}
