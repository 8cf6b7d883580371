import type { Surroundings } from '../../../apiserver/feature.ts';
import type { NetworkShape } from '../../../apiserver/gateway/deps.ts';
import type { Services } from '../../../apiserver/gateway/policy/policy.ts';
import type { StoredKind } from '../../../apiserver/store/storedKinds.ts';
import type { RpcKeyResource } from '../api/rpcKey.ts';
import type { UntilKnown } from './untilKnown.ts';

export interface KeyDeps extends Pick<Surroundings, 'kube' | 'clock'> {
  find: Surroundings['kinds']['networks']['find'];
  keys: StoredKind<RpcKeyResource>;
  /** The services of a network. */
  servicesOf(network: NetworkShape): Services;
  untilKnown: UntilKnown;
}
